// PlaneView: a plane through a volume as shown in a pane: the grid to request, and the transform between pane
// coordinates (mm, to the right and downwards) and points in space.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>

#include "core/base/grid.h"
#include "core/live/notification.h"

namespace tl::ui {

enum class Orientation { xy, xz, yz, oblique };
QString orientation_name(Orientation orientation);  // "XY", translated for oblique

// Directions of an oblique plane: orthogonal, of unit length.
struct PlaneDirections {
  Vec3 right{1, 0, 0}, up{0, 0, 1};
  [[nodiscard]] Vec3 normal() const { return cross(right, up); }
  // Rotated by `angle` [rad] about `axis` (unit length, right-handed).
  [[nodiscard]] PlaneDirections turned(Vec3 axis, double angle) const;
  friend bool operator==(const PlaneDirections&, const PlaneDirections&) = default;
};

struct PlaneView {
  VolumeGrid region;  // one voxel thick
  Vec3 origin;        // point in space of the pane's origin
  Vec3 right, up, normal;
  double across = 1, along = 1;  // size of a pixel to the right and upwards [mm]
  int64_t rows = 1, cols = 1;
  double step = 1;               // [mm] to the next slice along the normal
  int64_t index = 0, count = 0;  // index and count of the slices of the volume; count 0: oblique

  [[nodiscard]] QRectF extent() const;  // the whole slice in pane coordinates
  [[nodiscard]] Vec3 to_space(QPointF point) const { return origin + point.x() * right - point.y() * up; }
  [[nodiscard]] QPointF to_pane(Vec3 point) const { return {dot(point - origin, right), -dot(point - origin, up)}; }
  // Area of an image in pane coordinates; coarse images cover the same area.
  [[nodiscard]] QRectF placement(const live::Picture& picture) const;
};

// The slice of `grid` nearest to `through`; oblique: the plane through that point, covering the volume's extent.
PlaneView plane_through(const VolumeGrid& grid, Orientation orientation, Vec3 through, const PlaneDirections& frame);
// `point` moved by whole slices along the normal, limited to the volume.
Vec3 stepped(const VolumeGrid& grid, const PlaneView& plane, Vec3 point, int64_t slices);
// The point nearest to `point` in the box of voxel centres.
Vec3 clamped(const VolumeGrid& grid, Vec3 point);

}  // namespace tl::ui
