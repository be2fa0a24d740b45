// Hysteresis: the components of the weak voxels that contain a strong one.
#include "gpu/segmentation/hysteresis.h"

#include <ATen/ATen.h>

#include "gpu/segmentation/run_labels.h"

namespace tl::ops {

Result<at::Tensor> hysteresis(const at::Tensor& volume, const HysteresisSpec& spec) {
  const std::string where = "hysteresis";
  TL_TRY(check_volume(volume, where));
  if (!(spec.low <= spec.high))
    return invalid("the lower threshold is above the upper one", where, "Exchange the two thresholds");
  TL_TRY(const RunLabels runs,
         label_runs(volume.gt(spec.low), spec.connectivity, VoxelsToLabel::not_zero, spec.cancel, where));
  return mask_of_components(runs, containing(runs, volume.gt(spec.high)), volume);
}

}  // namespace tl::ops
