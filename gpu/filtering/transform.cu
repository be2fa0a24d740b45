// CUDA kernels used with Fourier transforms: gridding onto a Fourier plane, wavelet steps.
#include "gpu/device/launch.cuh"
#include "gpu/filtering/gridrec_math.h"
#include "gpu/image/wavelet_math.h"

namespace tl::cuda {

KernelGroup transform_kernels() {
  static const CudaKernel all[] = {
      kernel<ops::GridPoint<float>>(),     kernel<ops::GridPoint<double>>(),  kernel<ops::WaveletSplit<float>>(),
      kernel<ops::WaveletSplit<double>>(), kernel<ops::WaveletJoin<float>>(), kernel<ops::WaveletJoin<double>>(),
  };
  return group(all);
}

}  // namespace tl::cuda
