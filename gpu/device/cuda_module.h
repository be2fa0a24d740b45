// The table of kernels that libtl_cuda.so offers: plain values, so that neither side needs the other's headers.
#pragma once

#include <cstdint>
#include <string>

namespace tl {

// How the module runs one functor of an x_math.h. Programs find it by the functor's type (gpu/device/launch.h).
struct CudaKernel {
  const char* functor;  // typeid(Functor).name()
  uint64_t size;        // sizeof(Functor)
  // Runs the functor for 0 ... count-1 (indices or blocks) on a card; its pointers are pointers of that card. Does not
  // wait. Returns 0 or a cudaError_t; `stream` is a cudaStream_t.
  int (*launch)(int device, const void* functor, int64_t count, void* stream);
};

struct CudaModule {
  int abi;            // == cuda_module_abi
  const char* texts;  // a hash of the headers and kernels that it was made from
  int (*device_count)();
  const char* (*error_text)(int code);
  const char* (*device_name)(int device);
  int64_t (*free_memory)(int device);                             // [bytes], 0 where the card does not answer
  const CudaKernel* (*find)(const char* functor, uint64_t size);  // nullptr: not in this module
};

inline constexpr int cuda_module_abi = 3;
inline constexpr const char* cuda_module_entry = "tl_cuda_module";
using CudaModuleEntry = const CudaModule* (*)();

// Why a module is refused: made for another table, or from other texts than this program. Empty: it is accepted.
std::string why_refused(const CudaModule& module);
// What this program was made from, as CudaModule::texts says it.
const char* kernel_texts();

// The loaded module, or nullptr where there is none.
const CudaModule* cuda_module();

}  // namespace tl
