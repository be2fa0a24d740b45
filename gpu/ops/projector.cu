// CUDA kernels of the projector: rays, voxels of the transpose, gradients.
#include "gpu/ops/launch.cuh"
#include "gpu/ops/partial_sums.h"
#include "gpu/ops/projector_gradient_math.h"
#include "gpu/ops/projector_transpose_math.h"

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
