// VolumeScene: contents of the 3D view as plain values: voxels, colours, opacity, clipping, slices, camera.
#pragma once

#include <QColor>
#include <QSize>
#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/grid.h"
#include "core/live/notification.h"
#include "core/mesh/mesh.h"
#include "core/picture/levels.h"
#include "widgets/views/scene/volume_view.h"

namespace tl::ui {

// Voxels in the order of the live session: lowest z first; within a slice the row of largest y first.
struct VolumeVoxels {
  std::shared_ptr<const live::Image> image;
  int64_t slices = 0;
  VolumeGrid grid;  // position and size; as many voxels as the image has
};

// moving: fewer rays and longer steps, for smooth rotation.
enum class VolumeDetail { moving, still };

// The colour in which the surface of a class is shown.
struct ClassColor {
  int64_t number = 0;
  QRgb color = 0;
  friend bool operator==(const ClassColor&, const ClassColor&) = default;
};

struct VolumeScene {
  VolumeStyle style = VolumeStyle::cloud;
  picture::Levels levels;
  std::vector<QRgb> colors;                        // from the low to the high end of the window
  std::vector<std::pair<double, double>> opacity;  // (0 to 1 in the window, opacity of one voxel's length)
  QString preset = window_tint;                    // or another tint, with its own opacity
  std::optional<double> surface_value;             // nullopt: where the object begins
  std::array<double, 6> clip = whole_box;          // kept fraction of the box: x, y, z
  VolumeSlices slices = VolumeSlices::hidden;
  std::array<double, 3> slice_at{0.5, 0.5, 0.5};  // slice positions x, y, z as fractions of the box's edges
  std::array<bool, 3> slice_shown{true, true, true};
  std::array<QColor, 3> slice_frame;             // frame colours of the slices at fixed x, y, z
  double turn = 0.6, rise = 0.45;                // camera angles: about z, and above the xy plane [rad]
  double zoom = 1, shift_x = 0, shift_y = 0;     // zoom 1 = all of `subject`; shifts as fractions of the image's height
  std::array<double, 6> subject = whole_box;     // the part of the box that the camera shows
  bool finds_subject = false;                    // VolumeThread sets `subject` to the extent of the object
  std::shared_ptr<const mesh::Mesh> class_mesh;  // in the frame of the scan; null: no surfaces of classes
  std::vector<ClassColor> class_colors;          // of the shown classes
  QColor background, frame;
  double line_width = 1;  // px, of the box
  QSize size;             // px
  VolumeDetail detail = VolumeDetail::still;
};

}  // namespace tl::ui
