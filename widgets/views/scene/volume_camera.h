// VolumeCamera: camera of the 3D view, and projection of points of the volume into its image.
#pragma once

#include <QPointF>
#include <QSizeF>
#include <array>
#include <cstddef>

#include "core/base/vec3.h"
#include "widgets/views/scene/volume_scene.h"

namespace tl::ui {

// The volume is centred at the origin, with x, y and z along its axes.
struct VolumeCamera {
  static constexpr double view_angle = 30;  // degrees, vertical
  Vec3 eye, focus, right, up;               // right and up have unit length
  double distance = 1;
  // The camera that shows all of the scene's subject in a box of these edge lengths at zoom 1.
  static VolumeCamera of(const VolumeScene& scene, Vec3 edges);
  // px of the image per mm at the depth of the focus.
  [[nodiscard]] double pixels_per_length(double picture_height) const;
  // Image coordinates of a point, x to the right and y downwards.
  [[nodiscard]] QPointF project(Vec3 point, QSizeF picture) const;
};

// Handles at the centres of the clipping box's six faces, in the order of VolumeScene::clip.
struct ClipHandles {
  VolumeCamera camera;
  Vec3 edges;
  std::array<double, 6> clip{0, 1, 0, 1, 0, 1};

  [[nodiscard]] QPointF handle_position(std::size_t face, QSizeF picture) const;
  // The handle near a point of the image, the one nearest to the camera if several; 6: none.
  [[nodiscard]] std::size_t at(QPointF point, QSizeF picture) const;
  // The box after dragging a handle by `move` in the image; opposite faces stay at least 0.01 of the edge apart.
  [[nodiscard]] std::array<double, 6> dragged(std::size_t face, QPointF move, QSizeF picture) const;

 private:
  [[nodiscard]] Vec3 middle(std::size_t face) const;
};

}  // namespace tl::ui
