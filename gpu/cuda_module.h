// The table of kernels that libtl_cuda.so offers: plain pointers, so that neither side needs the other's headers.
#pragma once

#include <cstdint>

namespace tl {

struct BackProjectTask;  // gpu/ops/back_projector_math.h

// Every function returns 0 or a cudaError_t. Pointers are pointers of card `device`; `stream` is a cudaStream_t.
struct CudaModule {
  int abi;  // == cuda_module_abi, else the module is refused
  int (*device_count)();
  const char* (*error_text)(int code);
  int (*back_project_f32)(int device, const BackProjectTask* task, const float* projections, float* volume,
                          void* stream);
};

inline constexpr int cuda_module_abi = 1;
inline constexpr const char* cuda_module_entry = "tl_cuda_module";
using CudaModuleEntry = const CudaModule* (*)();

// The loaded module, or nullptr where there is none.
const CudaModule* cuda_module();

}  // namespace tl
