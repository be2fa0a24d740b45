// tl_verify: checks the operators on this machine and prints the results. Needs only LibTorch.
#include <cstdio>
#include <cstring>
#include <exception>

#include "gpu/device/device.h"
#include "gpu/verify/verify.h"

namespace {

int run(tl::VerifySize size) {
  for (const tl::DeviceInfo& device : tl::devices()) std::printf("%s: %s\n", device.id.c_str(), device.name.c_str());
  const tl::CheckTable table = tl::verify_all(size);
  std::fputs(tl::to_text(table).c_str(), stdout);
  return tl::all_passed(table) ? 0 : 1;
}

// Compares every GPU with the CPU; without GPU, runs the GPU's functors on the CPU.
int run_devices() {
  tl::CheckTable table;
  for (const tl::DeviceInfo& device : tl::devices()) {
    std::printf("%s: %s\n", device.id.c_str(), device.name.c_str());
    if (device.id == "cpu") continue;
    const tl::CheckTable part = tl::verify_device(device.id);
    table.insert(table.end(), part.begin(), part.end());
  }
  if (table.empty()) {
    std::puts("no CUDA GPU: its functors run on the CPU");
    table = tl::verify_device("functors");
  }
  std::fputs(tl::to_text(table).c_str(), stdout);
  return tl::all_passed(table) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  tl::init_devices();
  const bool full = argc == 2 && std::strcmp(argv[1], "--full") == 0;
  const bool devices = argc == 2 && std::strcmp(argv[1], "--devices") == 0;
  if (argc > 1 && !full && !devices) {
    std::fputs(
        "Usage: tl_verify [--full | --devices]\nChecks transposes, gradients and analytic cases, on every GPU too; "
        "--devices: only that GPUs agree with the CPU. Exit code 0 if all hold.\n",
        stderr);
    return 2;
  }
  try {
    return devices ? run_devices() : run(full ? tl::VerifySize::full : tl::VerifySize::small);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tl_verify: %s\n", e.what());
    return 70;
  }
}
