// Asks for and releases GPU memory, waits for the GPU and recognises its failures, through torch's device guard and
// allocator, which need no CUDA library at link time.
#include "gpu/device/gpu_memory.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>

#include <string_view>

#include "gpu/device/cuda_module.h"

namespace tl {

int64_t free_gpu_memory(const std::string& id) {
  const CudaModule* module = cuda_module();
  const at::Device device(id);
  return module != nullptr && device.is_cuda() ? module->free_memory(device.index()) : 0;
}

void wait_for_device(at::Device device) {
  if (device.is_cuda()) c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
}

void release_gpu_memory(at::Device device) {
  if (auto* kept = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(device.type()))) kept->emptyCache();
}

bool is_out_of_gpu_memory(const std::exception& error) {
  return dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr;
}

bool is_gpu_failure(const std::exception& error) {
  if (dynamic_cast<const c10::AcceleratorError*>(&error) != nullptr) return true;
  const auto* own = dynamic_cast<const c10::Error*>(&error);
  if (own == nullptr) return false;
  const std::string_view text = own->what_without_backtrace();
  for (const std::string_view name : {"CUDA error", "cuFFT error", "CUBLAS_STATUS", "cuDNN error"})
    if (text.find(name) != std::string_view::npos) return true;
  return false;
}

}  // namespace tl
