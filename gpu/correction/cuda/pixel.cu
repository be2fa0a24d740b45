// CUDA kernels of corrections that treat each pixel of a projection on its own, and of zinger and stripe removal.
#include "gpu/correction/flats/flat_field_math.h"
#include "gpu/correction/stripes/sorting_math.h"
#include "gpu/correction/view_resampling_math.h"
#include "gpu/correction/zingers_math.h"
#include "gpu/device/launch.cuh"
#include "gpu/filtering/fdk_weights_math.h"

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
