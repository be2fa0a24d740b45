// Runs the functors of x_math.h on a GPU: one thread per index, or one thread block per block of a staged functor.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <typeinfo>

#include "gpu/device/cuda_module.h"

namespace tl::cuda {

// Makes a GPU current, and restores the previous one at the end.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    status_ = cudaGetDevice(&before_);
    if (status_ == cudaSuccess && before_ != device) status_ = cudaSetDevice(device);
  }
  ~CurrentDevice() { cudaSetDevice(before_); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  cudaError_t status() const { return status_; }

 private:
  int before_ = 0;
  cudaError_t status_ = cudaSuccess;
};

template <class Functor>
__global__ void for_each_index(Functor functor, int64_t count) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) functor(i);
}

// Blocks that shall fit on a multiprocessor at once, which bounds the registers of a thread: as many as a functor asks
// for, where shared memory is large enough for them (228 KB on 9.0).
template <class Functor>
constexpr int blocks_together() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
  return Functor::blocks_together;
#else
  return 1;
#endif
}

// All threads of a block finish a step before any begins the next one; see gpu/device/staged.h.
template <class Functor>
__global__ void __launch_bounds__(Functor::threads, blocks_together<Functor>())
    for_each_block(Functor functor, int64_t blocks) {
  __shared__ typename Functor::Shared shared;
  const int thread = static_cast<int>(threadIdx.x);
  for (int64_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    typename Functor::Own own;
    functor.begin(own, block, thread);
    for (int64_t pass = 0; pass < functor.passes(); ++pass) {
      functor.plan(shared, own, pass, thread);
      __syncthreads();
      functor.load(shared, pass, thread);
      __syncthreads();
      functor.collect(shared, own, pass, thread);
      __syncthreads();
    }
    functor.finish(own, thread);
  }
}

constexpr int64_t most_blocks = int64_t{1} << 30;

template <class Functor>
int launch(int device, const void* functor, int64_t count, void* stream) {
  const CurrentDevice current(device);
  if (current.status() != cudaSuccess) return static_cast<int>(current.status());
  constexpr int64_t threads = 256;
  const int64_t wanted = (count + threads - 1) / threads;
  const auto blocks = static_cast<unsigned>(wanted < most_blocks ? wanted : most_blocks);
  for_each_index<<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(*static_cast<const Functor*>(functor),
                                                                            count);
  return static_cast<int>(cudaGetLastError());
}

template <class Functor>
int launch_staged(int device, const void* functor, int64_t count, void* stream) {
  const CurrentDevice current(device);
  if (current.status() != cudaSuccess) return static_cast<int>(current.status());
  const auto blocks = static_cast<unsigned>(count < most_blocks ? count : most_blocks);
  for_each_block<<<blocks, Functor::threads, 0, static_cast<cudaStream_t>(stream)>>>(
      *static_cast<const Functor*>(functor), count);
  return static_cast<int>(cudaGetLastError());
}

// The table of kernels of one x.cu.
struct KernelGroup {
  const CudaKernel* kernels;
  int64_t count;
};
template <int64_t n>
constexpr KernelGroup group(const CudaKernel (&kernels)[n]) {
  return {kernels, n};
}
template <class Functor>
CudaKernel kernel() {
  return {typeid(Functor).name(), sizeof(Functor), launch<Functor>};
}
template <class Functor>
CudaKernel staged_kernel() {
  return {typeid(Functor).name(), sizeof(Functor), launch_staged<Functor>};
}

}  // namespace tl::cuda
