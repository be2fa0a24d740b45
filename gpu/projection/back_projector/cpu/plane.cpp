// Back-projects slices that project into a single detector row in every view, in bands of voxel rows, during which the
// detector lines of a slice stay in cache.
#include "gpu/projection/back_projector/cpu/plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/projection/back_projector/cpu/plane_lanes.h"

namespace tl::ops {
namespace {

constexpr int64_t group_floats = int64_t{1} << 17;  // number of floats in a group of lines: half a MiB, stays in L2

// Whether the voxels of every slice project onto one row. Columns move by up to `reach` voxels over the slice.
bool is_plane(const ViewMap& map, const ViewMap& change, const BackProjectTask& task) {
  constexpr double still = 1e-9;  // [px]
  const double reach = static_cast<double>(std::max(task.nx, task.ny));
  for (const double k : {0.0, static_cast<double>(task.nz - 1)}) {
    const double row = plane_row(map, k), scale = reach / (map.w[0] + map.w[3] * k);
    const auto moves = [&](const double* v, const double* w) {
      return std::max(std::abs(v[1] - row * w[1]), std::abs(v[2] - row * w[2])) * scale > still;
    };
    const double shift = change.v[0] + change.v[3] * k - row * (change.w[0] + change.w[3] * k);
    if (moves(map.v, map.w) || moves(change.v, change.w) || std::abs(shift) * scale > still) return false;
  }
  return true;
}

// Interpolates line `row` (fractional) of a view into out[col], with zeros beyond the detector and plane_padding zeros
// at both ends.
void join_rows(const BackProjectTask& task, const float* view, double row, float* out) {
  std::fill_n(out - plane_padding, task.cols + 2 * plane_padding, 0.0f);
  const double low = std::floor(row);
  for (int64_t n = 0; n < 2; ++n) {
    const double weight = n == 0 ? 1 - (row - low) : row - low, at = low + static_cast<double>(n);
    if (!(weight > 0) || at < 0 || at >= static_cast<double>(task.rows)) continue;
    const float* data = view + static_cast<int64_t>(at) * task.cols;
    for (int64_t c = 0; c < task.cols; ++c) out[c] += static_cast<float>(weight) * data[c];
  }
}

// The map coefficients of slice k for all views, one array per coefficient.
struct PlaneArrays {
  std::array<std::vector<double>, 3> u, w, du, dw;

  PlaneArrays(const BackProjectTask& task, const ViewMap* changes, double k) {
    constexpr std::size_t padding = 8;
    const auto views = static_cast<std::size_t>(task.views);
    for (std::size_t c = 0; c < 3; ++c) {
      for (auto* array : {&u[c], &du[c], &dw[c]}) array->assign(views + padding, 0.0);
      w[c].assign(views + padding, c == 0 ? 1.0 : 0.0);
      const double up = c == 0 ? k : 0;
      for (std::size_t n = 0; n < views; ++n) {
        const ViewMap &map = task.maps[n], &change = changes[n];
        u[c][n] = map.u[c] + map.u[3] * up;
        w[c][n] = map.w[c] + map.w[3] * up;
        du[c][n] = change.u[c] + change.u[3] * up;
        dw[c][n] = change.w[c] + change.w[3] * up;
      }
    }
  }
};

PlaneLines lines_from(const PlaneArrays& arrays, int64_t first, const float* data, int64_t stride, int64_t views,
                      int64_t cols) {
  PlaneLines lines{data, stride, views, cols, {}, {}, {}, {}};
  for (std::size_t c = 0; c < 3; ++c) {
    lines.u[c] = arrays.u[c].data() + first;
    lines.w[c] = arrays.w[c].data() + first;
    lines.du[c] = arrays.du[c].data() + first;
    lines.dw[c] = arrays.dw[c].data() + first;
  }
  return lines;
}

// Adds a group of views to a band of rows j0 ... j1 - 1 of a slice.
void run_band(const BackProjectTask& task, const PlaneLines& lines, int64_t j0, int64_t j1, bool first, float* volume,
              float* slope) {
  PlaneBlock block;
  for (int64_t i0 = 0; i0 < task.nx; i0 += plane_block_x) {
    collect_plane_block(lines, static_cast<double>(j0), static_cast<double>(i0),
                        slope == nullptr ? PlaneOutputs::value : PlaneOutputs::both, block);
    const int64_t width = std::min(plane_block_x, task.nx - i0);
    const auto put = [&](const float* from, float* to) {
      if (to == nullptr) return;
      for (int64_t j = 0; j < j1 - j0; ++j) {
        float* line = to + (j0 + j) * task.nx + i0;
        for (int64_t i = 0; i < width; ++i) line[i] = from[j * plane_block_x + i] + (first ? 0.0f : line[i]);
      }
    };
    put(block.value, volume);
    put(block.slope, slope);
  }
}

}  // namespace

bool plane_fits(const BackProjectTask& task, const ViewMap* changes) {
  if (task.distance != DistanceMode::none) return false;
  const double x = static_cast<double>(task.nx - 1), y = static_cast<double>(task.ny - 1),
               z = static_cast<double>(task.nz - 1);
  for (int64_t n = 0; n < task.views; ++n) {
    const double* w = task.maps[n].w;
    const double nearest = w[0] + std::min(0.0, w[1] * x) + std::min(0.0, w[2] * y) + std::min(0.0, w[3] * z);
    if (!(nearest > 0) || !is_plane(task.maps[n], changes[n], task)) return false;
  }
  return true;
}

void back_project_plane(const BackProjectTask& task, const ViewMap* changes, const float* projections, float* volume,
                        float* slope, const CancelToken& cancel) {
  const int64_t stride = task.cols + 2 * plane_padding;
  const int64_t most = std::clamp<int64_t>(group_floats / stride, 1, max_plane_views);
  const int64_t groups = (task.views + most - 1) / most, group = (task.views + groups - 1) / groups;
  const int64_t bands = (task.ny + plane_block_y - 1) / plane_block_y;
  for (int64_t k = 0; k < task.nz; ++k) {
    const PlaneArrays arrays(task, changes, static_cast<double>(k));
    const auto lines = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(task.views * stride));
    ops::parallel_for(0, task.views, grain(stride), [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; ++v)
        join_rows(task, projections + v * task.rows * task.cols, plane_row(task.maps[v], static_cast<double>(k)),
                  lines.get() + v * stride + plane_padding);
    });
    float* values = volume == nullptr ? nullptr : volume + k * task.ny * task.nx;
    float* slopes = slope == nullptr ? nullptr : slope + k * task.ny * task.nx;
    ops::parallel_for(0, bands, grain(plane_block_y * task.nx * task.views / 8), [&](int64_t begin, int64_t end) {
      for (int64_t first = 0; first < task.views; first += group) {
        const int64_t views = std::min(group, task.views - first);
        const PlaneLines part = lines_from(arrays, first, lines.get() + first * stride, stride, views, task.cols);
        for (int64_t b = begin; b < end; ++b) {
          cancel.check();
          run_band(task, part, b * plane_block_y, std::min(task.ny, (b + 1) * plane_block_y), first == 0, values,
                   slopes);
        }
      }
    });
  }
}

}  // namespace tl::ops
