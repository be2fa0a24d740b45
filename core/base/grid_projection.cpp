// Computes the part of a scan that a grid of voxels projects onto, and the grid that a scan covers.
#include "core/base/grid_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tl {

std::optional<RowSpan> projected_rows(const ScanGeometry& g, const VolumeGrid& grid) {
  RowSpan span{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (int64_t view = 0; view < g.views(); ++view)
    for (int corner = 0; corner < 8; ++corner) {
      const auto end = [corner](int bit, int64_t n) {
        return (corner >> bit & 1) != 0 ? static_cast<double>(n - 1) : 0.0;
      };
      const auto hit = g.project(view, grid.position(end(2, grid.nz), end(1, grid.ny), end(0, grid.nx)));
      // If a corner lies at or behind the source, the corners do not bound the projection of the box.
      if (g.beam() == Beam::cone && !(hit.depth > 0)) return std::nullopt;
      span.lowest = std::min(span.lowest, hit.row);
      span.highest = std::max(span.highest, hit.row);
    }
  if (!std::isfinite(span.lowest) || !std::isfinite(span.highest)) return std::nullopt;
  return span;
}

ScanRegion projected_region(const ScanGeometry& g, const VolumeGrid& grid) {
  const std::optional<RowSpan> span = projected_rows(g, grid);
  const ScanRegion all = g.full();
  if (!span) return all;
  const double limit = static_cast<double>(all.rows.end);
  const auto row = [limit](double r) { return static_cast<int64_t>(std::clamp(r, -2.0, limit + 2.0)); };
  Range rows = Range{row(std::floor(span->lowest)) - 1, row(std::ceil(span->highest)) + 2}.clamp(all.rows);
  if (rows.empty()) rows = rows.begin >= all.rows.end ? Range{all.rows.end - 1, all.rows.end} : Range{0, 1};
  return {all.views, rows, all.cols};
}

VolumeGrid default_grid(const ScanGeometry& g) {
  const double m = g.magnification();
  const DetectorShape& d = g.detector();
  const View& first = g.view(0);
  const double source_z = g.beam() == Beam::cone ? first.beam.z : first.detector.z;
  VolumeGrid grid = VolumeGrid::cubic(d.rows, d.cols, d.cols, d.pitch_u / m);
  grid.step_z = {0, 0, d.pitch_v / m};
  grid.centre.z = source_z + (first.detector.z - source_z) / m;
  return grid;
}

}  // namespace tl
