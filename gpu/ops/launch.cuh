// Runs a functor TL_HD void operator()(int64_t) for every index 0 ... count-1 on a card.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace tl::cuda {

// Makes a card current and puts the old one back.
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

// 0 or a cudaError_t. Does not wait for the end.
template <class Functor>
int launch(int device, const Functor& functor, int64_t count, void* stream) {
  if (count < 1) return 0;
  const CurrentDevice current(device);
  if (current.status() != cudaSuccess) return static_cast<int>(current.status());
  constexpr int64_t threads = 256, most_blocks = 1 << 20;
  const int64_t wanted = (count + threads - 1) / threads;
  const auto blocks = static_cast<unsigned>(wanted < most_blocks ? wanted : most_blocks);
  for_each_index<<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(functor, count);
  return static_cast<int>(cudaGetLastError());
}

}  // namespace tl::cuda
