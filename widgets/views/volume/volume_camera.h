// VolumeCamera: where the eye of the 3D view is, and where a point of the volume stands in its picture.
#pragma once

#include <QPointF>
#include <QSizeF>
#include <array>
#include <cstddef>

#include "core/base/vec3.h"
#include "widgets/views/volume/volume_scene.h"

namespace tl::ui {

// The volume lies about the origin, x, y and z along its own axes.
struct VolumeCamera {
  static constexpr double view_angle = 30;  // degrees, of the picture's height
  Vec3 eye, focus, right, up;               // right and up have length 1
  double distance = 1;
  // All of a box of these edge lengths is seen at zoom 1.
  static VolumeCamera of(const VolumeScene& scene, Vec3 edges);
  // A point of the picture, x to the right and y downwards.
  [[nodiscard]] QPointF project(Vec3 point, QSizeF picture) const;
};

// Handles in the middles of the six faces of the box that is kept, in the order of VolumeScene::clip.
struct ClipHandles {
  VolumeCamera camera;
  Vec3 edges;
  std::array<double, 6> clip{0, 1, 0, 1, 0, 1};

  [[nodiscard]] QPointF place(std::size_t face, QSizeF picture) const;
  // The handle near a point of the picture, the nearest to the eye first; 6: none.
  [[nodiscard]] std::size_t at(QPointF point, QSizeF picture) const;
  // The box after a handle followed the mouse by a move of the picture; opposite faces keep a hundredth apart.
  [[nodiscard]] std::array<double, 6> dragged(std::size_t face, QPointF move, QSizeF picture) const;

 private:
  [[nodiscard]] Vec3 middle(std::size_t face) const;
};

}  // namespace tl::ui
