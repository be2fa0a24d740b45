// VolumeScene: what the 3D view shows, as plain values: the voxels, how they are coloured, cut and looked at.
#pragma once

#include <QColor>
#include <QSize>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/grid.h"
#include "core/live/engine.h"
#include "core/picture/levels.h"

namespace tl::ui {

// Voxels as the live session sends a box: slices of the lowest z first, in each the row of the largest y on top.
struct VolumeVoxels {
  std::shared_ptr<const live::Image> image;
  int64_t slices = 0;
  VolumeGrid grid;  // where they lie; as many voxels as the image has
};

enum class VolumeStyle { cloud, surface };
// moving: fewer rays, so that turning is smooth.
enum class VolumeDetail { moving, still };

struct VolumeScene {
  VolumeStyle style = VolumeStyle::cloud;
  picture::Levels levels;
  std::vector<QRgb> colors;                        // from the low to the high end of the window
  std::vector<std::pair<double, double>> opacity;  // (0 to 1 in the window, opacity of one voxel's length)
  double surface_at = 0.5;                         // 0 to 1 in the window
  std::array<double, 6> clip{0, 1, 0, 1, 0, 1};    // part of the box that is kept: x, y, z
  double turn = 0.6, rise = 0.45;                  // camera: about z, above the plane [rad]
  double zoom = 1, shift_x = 0, shift_y = 0;       // 1 = all of it; parts of the picture's height
  QColor background, frame;
  QSize size;  // px
  VolumeDetail detail = VolumeDetail::still;
};

}  // namespace tl::ui
