// CUDA kernels of the filters that read a neighbourhood: Gaussian, median, bilateral, non-local means.
#include "gpu/device/launch.cuh"
#include "gpu/image/neighbourhood_math.h"
#include "gpu/image/similarity_math.h"

namespace tl::cuda {

KernelGroup neighbourhood_kernels() {
  static const CudaKernel all[] = {
      kernel<ops::SmoothAlong<float>>(),   kernel<ops::SmoothAlong<double>>(),   kernel<ops::MedianSource<float>>(),
      kernel<ops::MedianSource<double>>(), kernel<ops::BilateralVoxel<float>>(), kernel<ops::BilateralVoxel<double>>(),
      kernel<ops::SimilarVoxel<float>>(),  kernel<ops::SimilarVoxel<double>>(),
  };
  return group(all);
}

}  // namespace tl::cuda
