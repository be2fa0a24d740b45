// Runs functors on a GPU through the CUDA module, or on the host.
#include "gpu/device/launch.h"

#include <ATen/ATen.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <atomic>
#include <mutex>
#include <set>

#include "gpu/device/cuda_module.h"
#include "gpu/device/parallel_for.h"

namespace tl {
namespace {

std::atomic<int> host_users{0};
// Device type of the stand-in; CPU if there is none.
std::atomic<at::DeviceType> stand_in{at::DeviceType::CPU};

bool is_stand_in(const at::Device& device) {
  return !device.is_cpu() && device.type() == stand_in.load(std::memory_order_relaxed);
}

struct Used {
  std::mutex mutex;
  std::set<UsedFunctor> functors;
};
Used& used() {
  static Used all;
  return all;
}

Error no_module(const at::Device& device, const std::string& where) {
  return unavailable("the CUDA module is not loaded, cannot run on " + device.str(), where,
                     "Choose the CPU, or install the module and a driver");
}

}  // namespace

HostFunctors::HostFunctors() { ++host_users; }
HostFunctors::~HostFunctors() { --host_users; }

StandInDevice::StandInDevice(at::DeviceType type) { stand_in = type; }
StandInDevice::~StandInDevice() { stand_in = at::DeviceType::CPU; }

std::vector<UsedFunctor> used_functors() {
  const std::lock_guard lock(used().mutex);
  return {used().functors.begin(), used().functors.end()};
}

Result<void> check_device(const at::Tensor& x, const std::string& where) {
  if (x.device().is_cpu() || is_stand_in(x.device())) return ok();
  if (!x.device().is_cuda()) return unavailable("there are no kernels for " + x.device().str(), where);
  if (cuda_module() == nullptr) return no_module(x.device(), where);
  return ok();
}

bool runs_functors(const at::Tensor& x, const std::string& where) {
  check_device(x, where).or_throw();
  return !x.device().is_cpu() || host_users.load(std::memory_order_relaxed) > 0;
}

at::Tensor copy_to_device(const void* values, int64_t bytes, at::Device device) {
  at::Tensor plain = at::from_blob(const_cast<void*>(values), {bytes}, at::kByte);
  if (device.is_cpu()) return plain;
  if (is_stand_in(device)) return plain.to(device);
  // From pinned memory the copy is asynchronous: it does not wait for work of this GPU or another one.
  return plain.pin_memory().to(device, plain.scalar_type(), /*non_blocking=*/true);
}

namespace detail {

void launch_on_gpu(at::Device device, const UsedFunctor& type, const void* functor, int64_t count) {
  const CudaModule* module = cuda_module();
  if (module == nullptr) throw Failure(no_module(device, "launch"));
  const CudaKernel* kernel = module->find(type.type.c_str(), type.size);
  if (kernel == nullptr)
    throw Failure(unavailable("the CUDA module has no kernel " + type.type, "launch",
                              "Install the module that belongs to this program"));
  void* stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device).native_handle();
  const int code = kernel->launch(device.index(), functor, count, stream);
  if (code != 0)
    throw Failure(Error{ErrorKind::device, std::string("CUDA: ") + module->error_text(code), type.type, {}});
}

void launch_on_host(const UsedFunctor& type, int64_t count, const std::function<void(int64_t, int64_t)>& range) {
  {
    const std::lock_guard lock(used().mutex);
    used().functors.insert(type);
  }
  ops::parallel_for(0, count, 16, range);
}

}  // namespace detail
}  // namespace tl
