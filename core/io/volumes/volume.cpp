// Reads boxes of volumes.
#include "core/io/volumes/volume.h"

#include <numeric>

namespace tl::io {

Result<at::Tensor> VolumeReader::read(const GridBox& box, const CancelToken& cancel) {
  const VolumeGrid& g = info_.grid;
  const auto inside = [](Range r, int64_t n) { return r.begin >= 0 && r.begin <= r.end && r.end <= n; };
  const auto text = [](Range r) { return std::to_string(r.begin) + ":" + std::to_string(r.end); };
  if (!inside(box.z, g.nz) || !inside(box.y, g.ny) || !inside(box.x, g.nx))
    return invalid("z " + text(box.z) + ", y " + text(box.y) + ", x " + text(box.x) + " is not in the volume",
                   info_.path.string(),
                   "It has " + std::to_string(g.nz) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nx) +
                       " voxels along z, y, x");
  std::vector<int64_t> slices(static_cast<std::size_t>(box.z.size()));
  std::iota(slices.begin(), slices.end(), box.z.begin);
  return slices_->read_views(slices, box.y, box.x, Samples::floats, cancel);
}

}  // namespace tl::io
