// Shared by the nodes that keep a part of a volume with larger voxels: parameters, grid, and needed voxels.
#pragma once

#include <optional>

#include "core/node/node_builder.h"

namespace tl {

struct VolumePart {
  int64_t first_x = 0, first_y = 0, first_z = 0;
  std::optional<int64_t> last_x, last_y, last_z;
  int64_t bin = 1;
};

// The part that is kept, before binning. Invalid if it is not inside the whole.
Result<VolumeGrid> kept_part(const VolumePart& p, const VolumeGrid& whole);
// Number of voxels of `part` along z, y, x that are binned to one: not more than there are.
struct JoinedVoxels {
  int64_t z = 1, y = 1, x = 1;
};
JoinedVoxels joined_voxels(const VolumePart& p, const VolumeGrid& part);
// The voxels of the input that are binned to the voxels of `wanted`. Errors: those of kept_part().
Result<VolumeGrid> finer_region(const VolumePart& p, const VolumeGrid& whole, const VolumeGrid& wanted);

template <class P>
void declare_volume_part(NodeBuilder<P>& n) {
  n.param("first_x", "First x", &P::first_x).at_least(0).help("First voxel kept along x.");
  n.param("last_x", "Last x", &P::last_x).at_least(0).automatic("the last voxel").help("Last voxel kept along x.");
  n.param("first_y", "First y", &P::first_y).at_least(0).help("First voxel kept along y, the direction up in a slice.");
  n.param("last_y", "Last y", &P::last_y).at_least(0).automatic("the last voxel").help("Last voxel kept along y.");
  n.param("first_z", "First slice", &P::first_z).at_least(0).help("First slice kept.");
  n.param("last_z", "Last slice", &P::last_z).at_least(0).automatic("the last slice").help("Last slice kept.");
}

}  // namespace tl
