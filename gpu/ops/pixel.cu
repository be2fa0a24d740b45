// CUDA kernels that work on one pixel of the projections at a time, zinger and stripe removal among them.
#include "gpu/ops/fdk_weights_math.h"
#include "gpu/ops/flat_field_math.h"
#include "gpu/ops/launch.cuh"
#include "gpu/ops/stripe_sorting_math.h"
#include "gpu/ops/view_resampling_math.h"
#include "gpu/ops/zingers_math.h"

namespace tl::cuda {

KernelGroup pixel_kernels() {
  static const CudaKernel all[] = {
      kernel<ops::FdkPixel<float>>(),
      kernel<ops::FdkPixel<double>>(),
      kernel<ops::FlatFieldPixel<float>>(),
      kernel<ops::FlatFieldPixel<double>>(),
      kernel<ops::FlatFieldTransposed<float>>(),
      kernel<ops::FlatFieldTransposed<double>>(),
      kernel<ops::ResamplePixel<float>>(),
      kernel<ops::ResamplePixel<double>>(),
      kernel<ops::ResampleTransposed<float>>(),
      kernel<ops::ResampleTransposed<double>>(),
      kernel<ops::RankMedian<float>>(),
      kernel<ops::RankMedian<double>>(),
      kernel<ops::ZingerSource<float>>(),
      kernel<ops::ZingerSource<double>>(),
  };
  return group(all);
}

}  // namespace tl::cuda
