// CUDA kernels of the sums and extrema in reduce.h.
#include "gpu/device/launch.cuh"
#include "gpu/operator/reduce_math.h"

namespace tl::cuda {

KernelGroup reduce_kernels() {
  static const CudaKernel all[] = {
      kernel<SumBlock<OneValue<float>>>(),
      kernel<SumBlock<OneValue<double>>>(),
      kernel<SumBlock<ProductOfTwo<float>>>(),
      kernel<SumBlock<ProductOfTwo<double>>>(),
      kernel<SumBlock<SquaredDeviation<float>>>(),
      kernel<SumBlock<SquaredDeviation<double>>>(),
      kernel<ExtremaBlock<float>>(),
      kernel<ExtremaBlock<double>>(),
  };
  return group(all);
}

}  // namespace tl::cuda
