// Finds the voxels that shapes on a plane cover: candidates in the box of indices around the shape, then an exact test.
#include "core/strokes/plane_shapes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/grid_box.h"
#include "core/strokes/index_box.h"

namespace tl::strokes {
namespace {

struct PlanePoint {
  double u = 0, v = 0;
};

PlanePoint on_plane(const PaintPlane& plane, Vec3 point) {
  return {dot(point - plane.origin, plane.right), dot(point - plane.origin, plane.up)};
}

// Half the thickness of a voxel along the normal: a plane closer to its centre intersects it.
double half_thickness(const VolumeGrid& grid, const PaintPlane& plane) {
  return 0.5 * (std::abs(dot(grid.step_x, plane.normal)) + std::abs(dot(grid.step_y, plane.normal)) +
                std::abs(dot(grid.step_z, plane.normal)));
}

// Calls for every voxel in the box through which the plane passes, with its centre along the plane.
template <class Call>
void for_each_on_plane(const VolumeGrid& grid, const PaintPlane& plane, const IndexBox& box, const Call& call) {
  const double half = half_thickness(grid, plane), tolerance = 1e-6 * half;
  const double deeper = dot(grid.step_x, plane.normal);  // from voxel to voxel
  for (int64_t k = box.low.k; k <= box.high.k; ++k)
    for (int64_t j = box.low.j; j <= box.high.j; ++j) {
      // In a row that crosses the plane, only few voxels are near the plane.
      int64_t first = box.low.i, last = box.high.i;
      if (std::abs(deeper) > tolerance) {
        const double depth =
            dot(grid.position(static_cast<double>(k), static_cast<double>(j), 0) - plane.origin, plane.normal);
        const double crossing = std::clamp(-depth / deeper, -1e15, 1e15), reach = half / std::abs(deeper) + 1;
        first = std::max(first, static_cast<int64_t>(std::ceil(crossing - reach)));
        last = std::min(last, static_cast<int64_t>(std::floor(crossing + reach)));
      }
      for (int64_t i = first; i <= last; ++i) {
        const Vec3 centre = grid.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
        const double depth = dot(centre - plane.origin, plane.normal);
        // Half-open interval: for a plane between two slices, the voxels of the slice that nearest_voxel() returns.
        if (depth < -half - tolerance || depth > half - tolerance) continue;
        call(Voxel{k, j, i}, on_plane(plane, centre));
      }
    }
}

double distance(PlanePoint p, PlanePoint from, PlanePoint to) {
  const double du = to.u - from.u, dv = to.v - from.v, length = du * du + dv * dv;
  const double along = length == 0 ? 0 : std::clamp(((p.u - from.u) * du + (p.v - from.v) * dv) / length, 0.0, 1.0);
  return std::hypot(p.u - from.u - along * du, p.v - from.v - along * dv);
}

bool inside(PlanePoint p, const std::vector<PlanePoint>& polygon) {
  bool odd = false;
  for (std::size_t i = 0, last = polygon.size() - 1; i < polygon.size(); last = i++) {
    const PlanePoint &a = polygon[i], &b = polygon[last];
    if ((a.v > p.v) != (b.v > p.v) && p.u < (b.u - a.u) * (p.v - a.v) / (b.v - a.v) + a.u) odd = !odd;
  }
  return odd;
}

}  // namespace

void add_disc(VoxelSet& set, const VolumeGrid& grid, const PaintPlane& plane, Vec3 from, Vec3 to, double radius) {
  const PlanePoint a = on_plane(plane, from), b = on_plane(plane, to);
  const Vec3 ends[] = {from, to};
  const double half = half_thickness(grid, plane);
  for_each_on_plane(grid, plane, box_around(grid, ends, std::hypot(radius, half)), [&](const Voxel& v, PlanePoint at) {
    if (distance(at, a, b) <= radius) set.add(v);
  });
  add_line(set, grid, from, to);
}

void add_polygon(VoxelSet& set, const VolumeGrid& grid, const PaintPlane& plane, std::span<const Vec3> corners) {
  if (corners.size() < 3) return;
  std::vector<PlanePoint> polygon;
  for (const Vec3& corner : corners) polygon.push_back(on_plane(plane, corner));
  for_each_on_plane(grid, plane, box_around(grid, corners, half_thickness(grid, plane)),
                    [&](const Voxel& v, PlanePoint at) {
                      if (inside(at, polygon)) set.add(v);
                    });
}

void add_region(VoxelSet& set, const Bricks& labels, const VolumeGrid& grid, const VolumeGrid& slice, Vec3 seed) {
  const Voxel start = nearest_voxel(slice, seed);
  if (!BrickLayout(slice).holds(start)) return;
  const auto voxel_at = [&](const Voxel& p) {
    return nearest_voxel(grid,
                         slice.position(static_cast<double>(p.k), static_cast<double>(p.j), static_cast<double>(p.i)));
  };
  LabelReader look(labels);
  if (!labels.layout().holds(voxel_at(start))) return;
  const uint16_t wanted = look.at(voxel_at(start));
  VoxelSet reached(slice);
  std::vector<Voxel> open{start};
  reached.add(start);
  while (!open.empty()) {
    const Voxel now = open.back();
    open.pop_back();
    set.add(voxel_at(now));
    for (const Voxel& next :
         {Voxel{now.k - 1, now.j, now.i}, Voxel{now.k + 1, now.j, now.i}, Voxel{now.k, now.j - 1, now.i},
          Voxel{now.k, now.j + 1, now.i}, Voxel{now.k, now.j, now.i - 1}, Voxel{now.k, now.j, now.i + 1}}) {
      if (!reached.layout().holds(next) || reached.has(next)) continue;
      const Voxel voxel = voxel_at(next);
      if (!labels.layout().holds(voxel) || look.at(voxel) != wanted) continue;
      reached.add(next);
      open.push_back(next);
    }
  }
}

}  // namespace tl::strokes
