// Back-projects, and differentiates along one change of the view vectors: motion of projected voxels times slopes of
// the views.
#include "gpu/projection/back_projector/direction.h"

#include <algorithm>
#include <array>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/dual.h"
#include "gpu/operator/interpolation_weights.h"
#include "gpu/projection/view_map.h"

namespace tl::ops {
namespace {

// A voxel's detector position and weight, and their derivatives.
struct Motion {
  ProjectedVoxel at;
  double col, row, weight;  // derivatives
};

Motion move(const BackProjectTask& task, const ViewMap& map, const ViewMap& change, double k, double j, double i) {
  Motion m{project_voxel(task, map, k, j, i), at_index(change.u, k, j, i), at_index(change.v, k, j, i), 0.0};
  if (task.cone == 0 || !m.at.inside) return m;
  const double inverse = 1 / at_index(map.w, k, j, i), dw = at_index(change.w, k, j, i);
  m.col = (m.col - m.at.col * dw) * inverse;
  m.row = (m.row - m.at.row * dw) * inverse;
  if (task.distance == DistanceMode::fdk)
    m.weight = 2 * m.at.weight * (change.axis_depth / map.axis_depth - dw * inverse);
  return m;
}

// Calls use(pixel, weight in the value, weight in the derivative) for the pixels around a position that lie on the
// detector.
template <class Use>
void each_pixel(const BackProjectTask& task, const Motion& m, const Use& use) {
  const InterpolationWeights across(m.at.col), down(m.at.row);
  for (std::size_t y = 0; y < 3; ++y) {
    const int64_t row = down.low - 1 + static_cast<int64_t>(y);
    if (row < 0 || row >= task.rows) continue;
    for (std::size_t x = 0; x < 3; ++x) {
      const int64_t col = across.low - 1 + static_cast<int64_t>(x);
      if (col < 0 || col >= task.cols) continue;
      const double value = down.value[y] * across.value[x];
      const double slope =
          m.at.weight * (down.value[y] * across.slope[x] * m.col + down.slope[y] * across.value[x] * m.row) +
          m.weight * value;
      use(row * task.cols + col, m.at.weight * value, slope);
    }
  }
}

}  // namespace

std::vector<ViewMap> view_maps_along(const ScanGeometry& geometry, const VolumeGrid& grid, const double* change) {
  const std::vector<double> vectors = geometry.vectors();
  const Vec3 first = grid.position(0, 0, 0);
  std::vector<ViewMap> maps(static_cast<std::size_t>(geometry.views()));
  for (std::size_t i = 0; i < maps.size(); ++i) {
    std::array<Dual<1>, 12> view;
    for (std::size_t n = 0; n < 12; ++n) {
      view[n].value = vectors[12 * i + n];
      view[n].slope[0] = change[12 * i + n];
    }
    const auto c = map_coefficients(view, geometry.beam(), geometry.detector().rows, geometry.detector().cols);
    const auto fill = [&](std::size_t from, double* to) {
      const Vec3 slope{c[from + 1].slope[0], c[from + 2].slope[0], c[from + 3].slope[0]};
      to[0] = c[from].slope[0] + dot(slope, first);
      to[1] = dot(slope, grid.step_x);
      to[2] = dot(slope, grid.step_y);
      to[3] = dot(slope, grid.step_z);
    };
    fill(0, maps[i].u);
    fill(4, maps[i].v);
    fill(8, maps[i].w);
    maps[i].axis_depth = c[8].slope[0];
  }
  return maps;
}

template <class T>
void back_project_along(const BackProjectTask& task, const ViewMap* changes, const T* projections, T* volume, T* slope,
                        const CancelToken& cancel) {
  const int64_t view_size = task.rows * task.cols;
  ops::parallel_for(0, task.nz * task.ny, grain(task.nx * task.views), [&](int64_t begin, int64_t end) {
    std::vector<double> values(static_cast<std::size_t>(task.nx)), slopes(values.size());
    for (int64_t line = begin; line < end; ++line) {
      cancel.check();
      const int64_t row = line % task.ny, slice = line / task.ny;
      const auto j = static_cast<double>(row), k = static_cast<double>(slice);
      std::fill(values.begin(), values.end(), 0.0);
      std::fill(slopes.begin(), slopes.end(), 0.0);
      for (int64_t view = 0; view < task.views; ++view) {
        const T* data = projections + view * view_size;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const Motion m = move(task, task.maps[view], changes[view], k, j, static_cast<double>(i));
          if (!m.at.inside) continue;
          each_pixel(task, m, [&](int64_t pixel, double in_value, double in_slope) {
            const auto sample = static_cast<double>(data[pixel]);
            if (in_value != 0) values[i] += in_value * sample;
            if (in_slope != 0) slopes[i] += in_slope * sample;
          });
        }
      }
      const auto rounded = [](double s) { return static_cast<T>(s); };
      if (volume != nullptr) std::transform(values.begin(), values.end(), volume + line * task.nx, rounded);
      std::transform(slopes.begin(), slopes.end(), slope + line * task.nx, rounded);
    }
  });
}

template <class T>
void back_project_along_transpose(const BackProjectTask& task, const ViewMap* changes, const T* slope, T* projections,
                                  const CancelToken& cancel) {
  const int64_t view_size = task.rows * task.cols;
  ops::parallel_for(0, task.views, grain(task.nz * task.ny * task.nx), [&](int64_t begin, int64_t end) {
    std::vector<double> sum(static_cast<std::size_t>(view_size));
    for (int64_t view = begin; view < end; ++view) {
      std::fill(sum.begin(), sum.end(), 0.0);
      const T* voxel = slope;
      for (int64_t k = 0; k < task.nz; ++k) {
        cancel.check();
        for (int64_t j = 0; j < task.ny; ++j)
          for (int64_t i = 0; i < task.nx; ++i, ++voxel) {
            const Motion m = move(task, task.maps[view], changes[view], static_cast<double>(k), static_cast<double>(j),
                                  static_cast<double>(i));
            if (!m.at.inside) continue;
            each_pixel(task, m, [&](int64_t pixel, double, double in_slope) {
              sum[static_cast<std::size_t>(pixel)] += in_slope * static_cast<double>(*voxel);
            });
          }
      }
      std::transform(sum.begin(), sum.end(), projections + view * view_size,
                     [](double s) { return static_cast<T>(s); });
    }
  });
}

template void back_project_along(const BackProjectTask&, const ViewMap*, const float*, float*, float*,
                                 const CancelToken&);
template void back_project_along(const BackProjectTask&, const ViewMap*, const double*, double*, double*,
                                 const CancelToken&);
template void back_project_along_transpose(const BackProjectTask&, const ViewMap*, const float*, float*,
                                           const CancelToken&);
template void back_project_along_transpose(const BackProjectTask&, const ViewMap*, const double*, double*,
                                           const CancelToken&);

}  // namespace tl::ops
