// Grids of parts of volumes, with voxels joined.
#include "core/nodes/volume_part.h"

#include <algorithm>
#include <string>

namespace tl {

Result<VolumeGrid> kept_part(const VolumePart& p, const VolumeGrid& whole) {
  const auto axis = [](int64_t first, std::optional<int64_t> last, int64_t length, const char* name) -> Result<Range> {
    const int64_t end = last.value_or(length - 1) + 1;
    if (end > length || first >= end)
      return invalid(std::to_string(first) + " to " + std::to_string(end - 1) + " is not within 0 to " +
                         std::to_string(length - 1),
                     name, "First and last are counted from 0 and are both kept");
    return Range{first, end};
  };
  TL_TRY(const Range z, axis(p.first_z, p.last_z, whole.nz, "first_z"));
  TL_TRY(const Range y, axis(p.first_y, p.last_y, whole.ny, "first_y"));
  TL_TRY(const Range x, axis(p.first_x, p.last_x, whole.nx, "first_x"));
  return whole.sub(z, y, x);
}

JoinedVoxels joined_voxels(const VolumePart& p, const VolumeGrid& part) {
  return {std::min(p.bin, part.nz), std::min(p.bin, part.ny), std::min(p.bin, part.nx)};
}

// If the requested voxels are voxels of the output, the finer ones equal those of the input bit for bit, as stored
// volumes require to recognise them.
Result<VolumeGrid> finer_region(const VolumePart& p, const VolumeGrid& whole, const VolumeGrid& wanted) {
  TL_TRY(const VolumeGrid part, kept_part(p, whole));
  const VolumeGrid binned = part.binned(p.bin);
  const JoinedVoxels joined = joined_voxels(p, part);
  VolumeGrid fine = wanted;
  const auto refine = [](int64_t& n, Vec3& step, const Vec3& coarse, const Vec3& original, int64_t factor) {
    n *= factor;
    step = step == coarse ? original : (1.0 / static_cast<double>(factor)) * step;
  };
  refine(fine.nz, fine.step_z, binned.step_z, part.step_z, joined.z);
  refine(fine.ny, fine.step_y, binned.step_y, part.step_y, joined.y);
  refine(fine.nx, fine.step_x, binned.step_x, part.step_x, joined.x);
  return fine;
}

}  // namespace tl
