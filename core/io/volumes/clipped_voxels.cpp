// Counts voxels outside of the range of integers.
#include "core/io/volumes/clipped_voxels.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/text.h"
#include "gpu/operator/reduce.h"

namespace tl::io {

void ClippedVoxels::add(const ClippedVoxels& more) {
  voxels += more.voxels;
  below += more.below;
  above += more.above;
  not_numbers += more.not_numbers;
}

double ClippedVoxels::share() const {
  return static_cast<double>(clipped()) / static_cast<double>(std::max<int64_t>(voxels, 1));
}

std::string ClippedVoxels::text(const SampleScale& scale) const {
  constexpr double percent = 100;
  const std::string start = formatted("%.3g %% of the voxels are outside of %.6g to %.6g and are clipped",
                                      percent * share(), scale.low, scale.high);
  std::string parts;
  const auto add = [&](int64_t count, const char* what) {
    if (count > 0) parts += (parts.empty() ? "" : ", ") + std::to_string(count) + what;
  };
  add(below, " below");
  add(above, " above");
  add(not_numbers, " NaN");
  return start + (" (" + parts) + ")";
}

ClippedVoxels clipped_voxels(const at::Tensor& voxels, const SampleScale& scale) {
  ClippedVoxels found;
  found.voxels = voxels.numel();
  if (scale.type == SampleType::float32) return found;
  // Values within half a step are rounded to the ends of the range.
  const double half = 0.5 * scale.step();
  found.below = voxels.lt(scale.low - half).sum().item<int64_t>();
  found.above = voxels.gt(scale.high + half).sum().item<int64_t>();
  found.not_numbers = count_of_nans(voxels);
  return found;
}

}  // namespace tl::io
