// CUDA kernels of the forward differences and of the total-variation steps.
#include "gpu/device/launch.cuh"
#include "gpu/image/total_variation/total_variation_math.h"

namespace tl::cuda {

KernelGroup total_variation_kernels() {
  static const CudaKernel all[] = {
      kernel<ops::GradientVoxel<float>>(),
      kernel<ops::GradientVoxel<double>>(),
      kernel<ops::GradientTransposedVoxel<float>>(),
      kernel<ops::GradientTransposedVoxel<double>>(),
      kernel<ops::DualStepVoxel<float>>(),
      kernel<ops::DualStepVoxel<double>>(),
      kernel<ops::PrimalStepVoxel<float>>(),
      kernel<ops::PrimalStepVoxel<double>>(),
      kernel<ops::VariationRow<float>>(),
      kernel<ops::VariationRow<double>>(),
  };
  return group(all);
}

}  // namespace tl::cuda
