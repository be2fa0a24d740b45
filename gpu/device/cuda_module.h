// The table of kernels exported by libtl_cuda.so: plain values, so that neither side needs the other's headers.
#pragma once

#include <cstdint>
#include <string>

namespace tl {

// Entry point of one functor of an x_math.h. Programs look it up by the functor's type (gpu/device/launch.h).
struct CudaKernel {
  const char* functor;  // typeid(Functor).name()
  uint64_t size;        // sizeof(Functor)
  // Runs the functor for 0 ... count-1 (indices or blocks) on a GPU; its pointers must be device pointers of that GPU.
  // Does not wait. Returns 0 or a cudaError_t; `stream` is a cudaStream_t.
  int (*launch)(int device, const void* functor, int64_t count, void* stream);
};

struct CudaModule {
  int abi;            // == cuda_module_abi
  const char* texts;  // hash of the headers and kernels from which it was built
  int (*device_count)();
  const char* (*error_text)(int code);
  const char* (*device_name)(int device);
  int64_t (*free_memory)(int device);                             // [bytes], 0 if the GPU does not respond
  const CudaKernel* (*find)(const char* functor, uint64_t size);  // nullptr: not in this module
};

inline constexpr int cuda_module_abi = 3;
inline constexpr const char* cuda_module_entry = "tl_cuda_module";
using CudaModuleEntry = const CudaModule* (*)();

// Why a module is refused: another table version, or built from other sources than this program. Empty if accepted.
std::string why_module_refused(const CudaModule& module);
// Hash of the sources of this program, comparable to CudaModule::texts.
const char* kernel_texts();

// The loaded module; nullptr if none is loaded.
const CudaModule* cuda_module();

}  // namespace tl
