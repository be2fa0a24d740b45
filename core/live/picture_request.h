// PictureRequest: the image of a view: a region of an output of a node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/values/infos.h"

namespace tl::live {

// Volumes and labels: any grid, also an oblique one. An axis that is one voxel thick (z before y before x) is dropped:
//   nz = 1  rows are y, row 0 = largest j; columns are x, column 0 = smallest i (XY, and any VolumeGrid::plane)
//   ny = 1  rows are z, row 0 = largest k; columns are x                        (XZ)
//   nx = 1  rows are z, row 0 = largest k; columns are y, column 0 = smallest j (YZ)
// where i, j, k count along step_x, step_y, step_z. A box thicker than one voxel along all axes gives nz slices, k = 0
// first, each with rows as in XY; it is binned to fit the memory. Projections: one view gives the detector as in the
// file
// (row 0 = top row of the detector, column 0 = first); one row of several views gives a sinogram (row 0 = first view);
// a box gives a slice per view. Flats and darks: rows and columns of the region; its views are ignored. WholeRegion:
// the middle slice or the middle view.
struct PictureRequest {
  std::string node, port;
  Region region = WholeRegion{};
  enum class Series { data, flats, darks } series = Series::data;
  int64_t frame = -1;  // index of a flat or dark; below 0 = their mean
  // Volumes: an image of the same extent with this many times fewer points per axis may be shown first; 1 = only the
  // sharp image. No coarse image is sent if the sharp one is cached.
  int64_t coarse = 4;
  // Volumes: the same extent with more points. Computed when the engine is idle, if that takes less than a minute; the
  // image is then sent once more. Requests that arrive meanwhile have priority.
  std::optional<Region> finer = std::nullopt;
  uint64_t ticket = 0;  // returned in the image
  friend bool operator==(const PictureRequest&, const PictureRequest&) = default;
};

}  // namespace tl::live
