// Chooses by how much to average, and averages.
#include "core/nodes/recon/coarse_slab.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/correction/crop_bin.h"

namespace tl {
namespace {

constexpr double most_updates = 4e9;   // of a voxel by a view: some seconds of two cores
constexpr int64_t fewest_pixels = 16;  // along an axis, as long as there are more

int64_t smallest_side(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return std::min({geometry.detector().cols, grid.nx, grid.ny});
}

// Of rows or slices; a single one stays.
int64_t along_axis(int64_t count, int64_t factor) { return std::min(count, factor); }

double updates(const ScanGeometry& geometry, const VolumeGrid& grid, int64_t factor, int64_t iterations) {
  const auto f = static_cast<double>(factor), z = static_cast<double>(along_axis(grid.nz, factor));
  const double voxels = static_cast<double>(grid.count()) / (f * f * z);
  return 2 * static_cast<double>(iterations * geometry.views()) * voxels;
}

VolumeGrid with_larger_voxels(const VolumeGrid& grid, int64_t slices, int64_t factor) {
  const int64_t nz = grid.nz / slices, ny = grid.ny / factor, nx = grid.nx / factor;
  // Rows of the detector run down the slices: the last, incomplete ones are those at the bottom.
  VolumeGrid g = grid.sub({grid.nz - nz * slices, grid.nz}, {0, ny * factor}, {0, nx * factor});
  g.nz = nz;
  g.ny = ny;
  g.nx = nx;
  g.step_z = static_cast<double>(slices) * g.step_z;
  g.step_y = static_cast<double>(factor) * g.step_y;
  g.step_x = static_cast<double>(factor) * g.step_x;
  return g;
}

}  // namespace

int64_t coarse_factor(const ScanGeometry& geometry, const VolumeGrid& grid, const VolumeGrid& wanted,
                      int64_t iterations) {
  // Of a plane the step across does not say how fine the image is.
  double finest = std::numeric_limits<double>::infinity();
  if (wanted.nx > 1) finest = std::min(finest, norm(wanted.step_x));
  if (wanted.ny > 1) finest = std::min(finest, norm(wanted.step_y));
  if (wanted.nz > 1) finest = std::min(finest, norm(wanted.step_z));
  if (!std::isfinite(finest)) finest = norm(grid.step_x);
  int64_t factor = std::max<int64_t>(1, std::llround(std::floor(finest / norm(grid.step_x) + 1e-6)));
  while (updates(geometry, grid, factor, iterations) > most_updates) ++factor;
  return std::min(factor, std::max<int64_t>(1, smallest_side(geometry, grid) / fewest_pixels));
}

CoarseSlab coarse_slab(const ScanGeometry& geometry, const at::Tensor& data, const VolumeGrid& grid, int64_t factor,
                       bool slices_apart) {
  if (factor == 1) return {geometry, grid, data};
  // Elsewhere rows and slices do not correspond: both are averaged as long as there are several.
  const int64_t slices = along_axis(grid.nz, factor),
                rows = slices_apart ? slices : along_axis(geometry.detector().rows, factor);
  return {geometry.binned(rows, factor), with_larger_voxels(grid, slices, factor),
          ops::bin(data, {1, rows, factor}).or_throw().contiguous()};
}

}  // namespace tl
