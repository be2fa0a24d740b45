// libtl_cuda.so: the table through which programs reach the CUDA kernels.
#include "gpu/cuda_module.h"

#include <cuda_runtime.h>

namespace tl::cuda {

int back_project_f32(int device, const BackProjectTask* task, const float* projections, float* volume, void* stream);

namespace {

// 0 where there is no driver or no card.
int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

const char* error_text(int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); }

constexpr CudaModule module{cuda_module_abi, device_count, error_text, back_project_f32};

}  // namespace
}  // namespace tl::cuda

extern "C" const tl::CudaModule* tl_cuda_module() { return &tl::cuda::module; }
