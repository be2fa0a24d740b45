// Lists the devices that this machine can compute on, and loads the CUDA module.
#include "gpu/device/device.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "gpu/device/cpu_variant.h"
#include "gpu/device/cuda_module.h"
#include "gpu/device/tensor_memory.h"
#include "gpu/device/threads.h"
#include "kernel_texts.h"

namespace tl {
namespace {

struct Loaded {
  const CudaModule* module = nullptr;
  int gpus = 0;
  std::string why_none = "devices were not initialised";
};

// Written once by init_devices(), read-only afterwards.
Loaded& loaded() {
  static Loaded state;
  return state;
}

Loaded open_module() {
  const auto none = [](std::string why) { return Loaded{nullptr, 0, std::move(why)}; };
  // The driver first: without it torch's CUDA library could not work and would only cost start-up time.
  if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_GLOBAL) == nullptr) return none("there is no NVIDIA driver");
  if (dlopen("libtorch_cuda.so", RTLD_LAZY | RTLD_GLOBAL) == nullptr)
    return none("this LibTorch is built for the CPU only, or its CUDA library cannot be loaded");
  void* library = dlopen("libtl_cuda.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return none("the CUDA module libtl_cuda.so is not installed, or its libraries are not");
  const auto entry = reinterpret_cast<CudaModuleEntry>(dlsym(library, cuda_module_entry));
  const CudaModule* module = entry == nullptr ? nullptr : entry();
  if (module == nullptr) return none("the CUDA module libtl_cuda.so has no table of kernels");
  if (std::string why = why_module_refused(*module); !why.empty()) return none(std::move(why));
  const int gpus = module->device_count();
  return {module, gpus, gpus > 0 ? "" : "the driver finds no GPU"};
}

// The vector instructions in use, which TL_CPU_VARIANT may lower: they are part of the provenance of results, since
// they determine the last bits.
std::string instructions() {
  try {
    switch (ops::best_cpu_variant()) {
      case ops::CpuVariant::avx512: return ", AVX-512";
      case ops::CpuVariant::avx2: return ", AVX2";
      case ops::CpuVariant::plain: break;
    }
  } catch (const Failure&) {
    // An invalid TL_CPU_VARIANT is reported by the first operator that reads it.
  }
  return "";
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string model = "CPU";
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos || line.rfind("model name", 0) != 0) continue;
    model = line.substr(colon + 2);
    break;
  }
  return model + ", " + std::to_string(thread_limit()) + " threads" + instructions();
}

}  // namespace

std::string why_module_refused(const CudaModule& module) {
  // Check the version first: in another version of the table, `texts` may be at another position.
  if (module.abi == cuda_module_abi && std::strcmp(module.texts, kernel_texts()) == 0) return {};
  return "the CUDA module libtl_cuda.so belongs to another version of this program: build or install both together";
}
const char* kernel_texts() { return TL_KERNEL_TEXTS; }

const CudaModule* cuda_module() { return loaded().module; }

void init_devices() {
  static bool done = false;
  if (done) return;
  done = true;
  // Large tensors on huge pages, unless the user has set it: fewer page faults and TLB misses. Torch reads the variable
  // only once.
  setenv("THP_MEM_ALLOC_ENABLE", "1", 0);
  install_tensor_allocator();
  loaded() = open_module();
}

std::string why_no_gpu() { return loaded().gpus > 0 ? "" : loaded().why_none; }

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all = {{"cpu", cpu_name()}};
  for (int i = 0; i < loaded().gpus; ++i) all.push_back({"cuda:" + std::to_string(i), loaded().module->device_name(i)});
  return all;
}

Result<std::string> choose_device(const std::string& wanted) {
  const auto all = devices();
  if (wanted == "auto") return all.size() > 1 ? all[1].id : all[0].id;
  std::string names;
  for (const DeviceInfo& d : all) {
    if (d.id == wanted || (wanted == "cuda" && d.id == "cuda:0")) return d.id;
    names += (names.empty() ? "" : ", ") + d.id;
  }
  if (wanted.rfind("cuda", 0) == 0)
    return unavailable("no such CUDA device: " + wanted + (all.size() > 1 ? "" : " (" + why_no_gpu() + ")"), "device",
                       "This machine offers: " + names);
  return invalid("unknown device \"" + wanted + "\"", "device", "Use cpu, cuda:N or auto");
}

}  // namespace tl
