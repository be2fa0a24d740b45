// PlaneView: a plane through a volume as a pane shows it: which grid it asks for, and how points of the pane (mm, to
// the right and downwards) and points in space belong together.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>

#include "core/base/grid.h"
#include "core/live/engine.h"

namespace tl::ui {

enum class Orientation { xy, xz, yz, oblique };
QString orientation_name(Orientation orientation);  // "XY", translated for oblique

// Directions of an oblique plane: orthogonal, of unit length.
struct PlaneFrame {
  Vec3 right{1, 0, 0}, up{0, 0, 1};
  [[nodiscard]] Vec3 normal() const { return cross(right, up); }
  // Turned about an axis (unit length, right-handed) [rad].
  [[nodiscard]] PlaneFrame turned(Vec3 axis, double angle) const;
  friend bool operator==(const PlaneFrame&, const PlaneFrame&) = default;
};

struct PlaneView {
  VolumeGrid region;  // one voxel thick
  Vec3 origin;        // of the pane's coordinates
  Vec3 right, up, normal;
  double across = 1, along = 1;  // size of a pixel to the right and upwards [mm]
  int64_t rows = 1, cols = 1;
  double step = 1;               // [mm] to the next slice along the normal
  int64_t index = 0, count = 0;  // slice of the volume; count 0: oblique

  [[nodiscard]] QRectF extent() const;  // of the whole slice
  [[nodiscard]] Vec3 to_space(QPointF point) const { return origin + point.x() * right - point.y() * up; }
  [[nodiscard]] QPointF to_pane(Vec3 point) const { return {dot(point - origin, right), -dot(point - origin, up)}; }
  // Where a picture lies; coarse ones cover the same place.
  [[nodiscard]] QRectF placement(const live::Picture& picture) const;
};

// The slice of `grid` nearest to `through`; oblique: the plane through that point, as large as the volume can fill.
PlaneView plane_through(const VolumeGrid& grid, Orientation orientation, Vec3 through, const PlaneFrame& frame);
// `point` moved by whole slices along the normal, kept inside the volume.
Vec3 stepped(const VolumeGrid& grid, const PlaneView& plane, Vec3 point, int64_t slices);
// The point of the volume's box nearest to `point` (voxel centres).
Vec3 clamped(const VolumeGrid& grid, Vec3 point);

}  // namespace tl::ui
