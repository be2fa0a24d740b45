// PlaneView: computes the grid of a plane through a volume, and transforms its coordinates. Axis-parallel slices keep
// the volume's own voxels, so that a computed volume is cut without interpolation.
#include "widgets/views/pictures/plane_view.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/base/grid_box.h"

namespace tl::ui {
namespace {

Vec3 unit_vector(Vec3 v) { return (1 / norm(v)) * v; }
int64_t nearest(double index, int64_t count) { return std::clamp<int64_t>(std::llround(index), 0, count - 1); }

Vec3 rotated(Vec3 v, Vec3 axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return c * v + s * cross(axis, v) + ((1 - c) * dot(axis, v)) * axis;
}

PlaneView axis_aligned(const VolumeGrid& grid, Orientation orientation, Vec3 through) {
  const GridPoint at = fractional_index(grid, through);
  PlaneView p;
  const auto face = [&p](Vec3 right, Vec3 up, Vec3 deep) {
    p.right = unit_vector(right);
    p.up = unit_vector(up);
    p.normal = unit_vector(deep);
    p.across = norm(right);
    p.along = norm(up);
    p.step = norm(deep);
  };
  Range z{0, grid.nz}, y{0, grid.ny}, x{0, grid.nx};
  const auto only = [&p](Range& range, double index) {
    p.count = range.end;
    p.index = nearest(index, range.end);
    range = {p.index, p.index + 1};
  };
  if (orientation == Orientation::xy) {
    face(grid.step_x, grid.step_y, grid.step_z);
    only(z, at.k);
    p.rows = grid.ny, p.cols = grid.nx;
  } else if (orientation == Orientation::xz) {
    face(grid.step_x, grid.step_z, grid.step_y);
    only(y, at.j);
    p.rows = grid.nz, p.cols = grid.nx;
  } else {
    face(grid.step_y, grid.step_z, grid.step_x);
    only(x, at.i);
    p.rows = grid.nz, p.cols = grid.ny;
  }
  p.region = grid.sub(z, y, x);
  p.origin = p.region.centre;
  // A region that is one voxel thick in two directions would be shown without z; this orientation has z as its rows.
  if (orientation != Orientation::xy && grid.nz == 1)
    p.region = VolumeGrid{1, 1, p.cols, p.origin, p.across * p.right, p.along * p.up, p.step * cross(p.right, p.up)};
  return p;
}

PlaneView oblique(const VolumeGrid& grid, Vec3 through, const PlaneDirections& frame) {
  PlaneView p;
  p.right = frame.right;
  p.up = frame.up;
  p.normal = frame.normal();
  p.region = oblique_plane(grid, through, p.right, p.up);
  p.origin = p.region.centre;
  p.across = p.along = p.step = std::min({norm(grid.step_x), norm(grid.step_y), norm(grid.step_z)});
  p.rows = p.region.ny;
  p.cols = p.region.nx;
  return p;
}

}  // namespace

QString orientation_name(Orientation orientation) {
  switch (orientation) {
    case Orientation::xy: return QStringLiteral("XY");
    case Orientation::xz: return QStringLiteral("XZ");
    case Orientation::yz: return QStringLiteral("YZ");
    case Orientation::oblique: return QCoreApplication::translate("Orientation", "Oblique");
  }
  return {};
}

PlaneDirections PlaneDirections::turned(Vec3 axis, double angle) const {
  const Vec3 x = unit_vector(rotated(right, axis, angle));
  const Vec3 y = rotated(up, axis, angle);
  return {x, unit_vector(y - dot(x, y) * x)};
}

QRectF PlaneView::extent() const {
  const double width = across * static_cast<double>(cols), height = along * static_cast<double>(rows);
  return {-width / 2, -height / 2, width, height};
}

QRectF PlaneView::placement(const live::Picture& picture) const {
  const auto* grid = std::get_if<VolumeGrid>(&picture.request.region);
  if (grid == nullptr) return extent();
  // Uses the image's own axes, which during a rotation of an oblique plane can differ from this plane's.
  const bool flat_z = count == 0 || grid->nz == 1;
  const bool flat_x = !flat_z && grid->nx == 1;
  const double width =
      flat_x ? static_cast<double>(grid->ny) * norm(grid->step_y) : static_cast<double>(grid->nx) * norm(grid->step_x);
  const double height =
      flat_z ? static_cast<double>(grid->ny) * norm(grid->step_y) : static_cast<double>(grid->nz) * norm(grid->step_z);
  const QPointF middle = to_pane(grid->centre);
  return {middle.x() - width / 2, middle.y() - height / 2, width, height};
}

PlaneView plane_through(const VolumeGrid& grid, Orientation orientation, Vec3 through, const PlaneDirections& frame) {
  return orientation == Orientation::oblique ? oblique(grid, through, frame) : axis_aligned(grid, orientation, through);
}

Vec3 clamped(const VolumeGrid& grid, Vec3 point) {
  const GridPoint at = fractional_index(grid, point);
  const auto inside = [](double index, int64_t count) {
    return std::clamp(index, 0.0, static_cast<double>(count - 1));
  };
  return grid.position(inside(at.k, grid.nz), inside(at.j, grid.ny), inside(at.i, grid.nx));
}

Vec3 stepped(const VolumeGrid& grid, const PlaneView& plane, Vec3 point, int64_t slices) {
  if (plane.count == 0) return clamped(grid, point + (static_cast<double>(slices) * plane.step) * plane.normal);
  const int64_t target = std::clamp<int64_t>(plane.index + slices, 0, plane.count - 1);
  // Measured from the slice's centre: a crosshair between two slices must not need two wheel steps.
  const double off = dot(point - plane.region.centre, plane.normal);
  return point + (static_cast<double>(target - plane.index) * plane.step - off) * plane.normal;
}

}  // namespace tl::ui
