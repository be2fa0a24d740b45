// What nodes share that keep a part of a volume with larger voxels: its parameters, its grid, and the voxels it needs.
#pragma once

#include <optional>

#include "core/node/node_builder.h"

namespace tl {

struct VolumePart {
  int64_t first_x = 0, first_y = 0, first_z = 0;
  std::optional<int64_t> last_x, last_y, last_z;
  int64_t bin = 1;
};

// The voxels that are kept, not binned yet. Invalid if they are not within the whole.
Result<VolumeGrid> kept_part(const VolumePart& p, const VolumeGrid& whole);
// Voxels of `part` along z, y, x that become one: not more than there are.
struct JoinedVoxels {
  int64_t z = 1, y = 1, x = 1;
};
JoinedVoxels joined_voxels(const VolumePart& p, const VolumeGrid& part);
// The same points as `wanted`, a grid of binned voxels, in the voxels of the input. Errors: those of kept_part().
Result<VolumeGrid> finer_region(const VolumePart& p, const VolumeGrid& whole, const VolumeGrid& wanted);

template <class P>
void declare_volume_part(NodeBuilder<P>& n) {
  n.param("first_x", &P::first_x).title("First x").at_least(0).help("First voxel kept along x.");
  n.param("last_x", &P::last_x)
      .title("Last x")
      .at_least(0)
      .automatic("the last voxel")
      .help("Last voxel kept along x.");
  n.param("first_y", &P::first_y)
      .title("First y")
      .at_least(0)
      .help("First voxel kept along y, the direction up in a slice.");
  n.param("last_y", &P::last_y)
      .title("Last y")
      .at_least(0)
      .automatic("the last voxel")
      .help("Last voxel kept along y.");
  n.param("first_z", &P::first_z).title("First slice").at_least(0).help("First slice kept.");
  n.param("last_z", &P::last_z).title("Last slice").at_least(0).automatic("the last slice").help("Last slice kept.");
}

}  // namespace tl
