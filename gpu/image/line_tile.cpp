// Checks the inputs of the filters that read a neighbourhood through a LineTile.
#include "gpu/image/line_tile.h"

#include <ATen/ATen.h>

#include "gpu/device/launch.h"

namespace tl::ops {

Result<void> check_neighbourhood_filter(const at::Tensor& volume, const Reach& reach, const std::string& where) {
  if (!volume.defined() || volume.dim() != 3 ||
      (volume.scalar_type() != at::kFloat && volume.scalar_type() != at::kDouble))
    return invalid("the volume is not a float tensor [z, y, x]", where);
  TL_TRY(check_device(volume, where));
  const int64_t least = std::min({reach.z, reach.y, reach.x}), most = std::max({reach.z, reach.y, reach.x});
  if (least < 0 || most > largest_reach)
    return invalid("a neighbourhood reaches 0 to " + std::to_string(largest_reach) + " voxels, not " +
                       std::to_string(least < 0 ? least : most),
                   where);
  return ok();
}

}  // namespace tl::ops
