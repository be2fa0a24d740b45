// Exports the table through which programs find the CUDA kernels of libtl_cuda.so.
#include "gpu/device/cuda_module.h"

#include <cuda_runtime.h>

#include <cstring>

#include "gpu/device/launch.cuh"
#include "kernel_texts.h"

namespace tl::cuda {

// One group per x.cu.
KernelGroup back_projector_kernels();
KernelGroup back_projector_tile_kernels();
KernelGroup neighbourhood_kernels();
KernelGroup pixel_kernels();
KernelGroup projector_kernels();
KernelGroup reduce_kernels();
KernelGroup total_variation_kernels();
KernelGroup transform_kernels();

namespace {

// 0 if there is no driver or no GPU.
int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

const char* error_text(int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); }

// Valid until the thread's next call.
const char* device_name(int device) {
  thread_local cudaDeviceProp properties;
  return cudaGetDeviceProperties(&properties, device) == cudaSuccess ? properties.name : "CUDA GPU";
}

int64_t free_memory(int device) {
  const CurrentDevice current(device);
  std::size_t free = 0, all = 0;
  if (current.status() != cudaSuccess || cudaMemGetInfo(&free, &all) != cudaSuccess) return 0;
  return static_cast<int64_t>(free);
}

const CudaKernel* find(const char* functor, uint64_t size) {
  for (const auto groups : {back_projector_kernels, back_projector_tile_kernels, neighbourhood_kernels, pixel_kernels,
                            projector_kernels, reduce_kernels, total_variation_kernels, transform_kernels}) {
    const KernelGroup group = groups();
    for (const CudaKernel* k = group.kernels; k != group.kernels + group.count; ++k)
      if (std::strcmp(k->functor, functor) == 0) return k->size == size ? k : nullptr;
  }
  return nullptr;
}

constexpr CudaModule module{cuda_module_abi, TL_KERNEL_TEXTS, device_count, error_text, device_name, free_memory, find};

}  // namespace
}  // namespace tl::cuda

extern "C" const tl::CudaModule* tl_cuda_module() { return &tl::cuda::module; }
