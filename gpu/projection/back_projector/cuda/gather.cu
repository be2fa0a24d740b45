// CUDA kernels of the back-projector that gather: voxels, detector pixels of the transpose, gradients.
#include "gpu/device/launch.cuh"
#include "gpu/projection/back_projector/shared/gradient_math.h"
#include "gpu/projection/back_projector/shared/transpose_math.h"

namespace tl::cuda {

KernelGroup back_projector_kernels() {
  static const CudaKernel all[] = {
      kernel<BackProjectVoxel<float>>(),       kernel<BackProjectVoxel<double>>(),
      kernel<ops::BackProjectPixel<float>>(),  kernel<ops::BackProjectPixel<double>>(),
      kernel<ops::BackProjectSlopes<float>>(), kernel<ops::BackProjectSlopes<double>>(),
  };
  return group(all);
}

}  // namespace tl::cuda
