// VolumeGrid: positions of the voxels of a volume, a slab or an oblique plane.
#pragma once

#include <cstdint>

#include "core/base/error.h"
#include "core/base/region.h"
#include "core/base/vec3.h"

namespace tl {

// Voxel (k, j, i) of a [z, y, x] tensor has its centre at
//   centre + (i - (nx-1)/2) step_x + (j - (ny-1)/2) step_y + (k - (nz-1)/2) step_z   [mm].
// The steps give voxel size and orientation; they are orthogonal. Without rotation, indices grow with +z, +y, +x.
struct VolumeGrid {
  int64_t nz = 1, ny = 1, nx = 1;
  Vec3 centre;
  Vec3 step_x{1, 0, 0}, step_y{0, 1, 0}, step_z{0, 0, 1};

  // Axis-parallel grid around `centre` with cubic voxels [mm].
  static VolumeGrid cubic(int64_t nz, int64_t ny, int64_t nx, double voxel, Vec3 centre = {});
  // A grid of rows x cols points in a plane through `centre`, spanned by two orthogonal directions; one pixel thick.
  static VolumeGrid plane(int64_t rows, int64_t cols, double pixel, Vec3 centre, Vec3 along_col, Vec3 along_row);

  [[nodiscard]] int64_t count() const { return nz * ny * nx; }
  [[nodiscard]] Vec3 position(double k, double j, double i) const;
  // The grid of a box of voxels, in indices of this grid.
  [[nodiscard]] VolumeGrid sub(Range z, Range y, Range x) const;
  [[nodiscard]] VolumeGrid slab(Range z) const { return sub(z, {0, ny}, {0, nx}); }
  // Voxels `factor` times larger over the same box (the last partial voxel is dropped).
  [[nodiscard]] VolumeGrid binned(int64_t factor) const;
  [[nodiscard]] double voxel_volume() const;    // [mm^3]
  [[nodiscard]] bool is_axis_aligned() const;   // steps along +x, +y, +z
  [[nodiscard]] Result<void> validate() const;  // positive sizes, count fits 63 bits, finite orthogonal steps
  friend bool operator==(const VolumeGrid&, const VolumeGrid&) = default;
};

}  // namespace tl
