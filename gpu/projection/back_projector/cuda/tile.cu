// CUDA kernels of the tiled back-projection and of the conversion of its views to half precision.
#include "gpu/device/launch.cuh"
#include "gpu/projection/back_projector/shared/tile_math.h"

namespace tl::cuda {

KernelGroup back_projector_tile_kernels() {
  static const CudaKernel all[] = {
      staged_kernel<ops::BackProjectTile<float>>(),
      staged_kernel<ops::BackProjectTile<ops::Half>>(),
      kernel<ops::StoreHalf>(),
  };
  return group(all);
}

}  // namespace tl::cuda
