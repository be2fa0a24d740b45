// CUDA kernels of the projector: rays, voxels of the transpose, gradients.
#include "gpu/device/launch.cuh"
#include "gpu/operator/partial_sums.h"
#include "gpu/projection/projector/shared/gradient_math.h"
#include "gpu/projection/projector/shared/transpose_math.h"

namespace tl::cuda {

KernelGroup projector_kernels() {
  static const CudaKernel all[] = {
      kernel<ProjectRay<float>>(),        kernel<ProjectRay<double>>(),        kernel<ops::CollectRays<float>>(),
      kernel<ops::CollectRays<double>>(), kernel<ops::ProjectSlopes<float>>(), kernel<ops::ProjectSlopes<double>>(),
      kernel<ops::JoinPartialSums>(),
  };
  return group(all);
}

}  // namespace tl::cuda
