// Gradient of the back-projector to its view vectors: slopes of the interpolated detector, then the chain rule through
// the twelve coefficients of the view's projective map.
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/ops/back_projector_kernels.h"
#include "gpu/ops/dual.h"
#include "gpu/ops/view_map.h"

namespace tl::ops {
namespace {

// Nearer than this to a pixel centre [px], rounding of the coordinates decides the side: it counts as the kink itself.
constexpr double kink = 1e-9;

// The bilinear signal of one view and its slopes along column and row, all 0 beyond the edge.
template <class T>
class Signal {
 public:
  Signal(const BackProjectTask& task, const T* view) : rows_(task.rows), cols_(task.cols), view_(view) {}

  struct Local {
    double value, along_col, along_row;
  };
  [[nodiscard]] Local at(double col, double row) const {
    const Cell c(col), r(row);
    double along_col[3], along_row[3];  // rows and columns -1, 0, +1 around the cell's low corner, interpolated across
    for (int64_t n = -1; n <= 1; ++n) {
      along_row[n + 1] = (1 - c.fraction) * pixel(r.low + n, c.low) + c.fraction * pixel(r.low + n, c.low + 1);
      along_col[n + 1] = (1 - r.fraction) * pixel(r.low, c.low + n) + r.fraction * pixel(r.low + 1, c.low + n);
    }
    return {(1 - r.fraction) * along_row[1] + r.fraction * along_row[2], c.slope(along_col), r.slope(along_row)};
  }

 private:
  // One coordinate split into the low pixel and the fraction; at a kink the slope is the mean of both sides.
  struct Cell {
    explicit Cell(double x) : low(static_cast<int64_t>(std::floor(x + kink))) {
      fraction = x - static_cast<double>(low);
      if (fraction < kink) fraction = 0;
    }
    [[nodiscard]] double slope(const double* s) const { return fraction == 0 ? 0.5 * (s[2] - s[0]) : s[2] - s[1]; }
    int64_t low;
    double fraction;
  };
  [[nodiscard]] double pixel(int64_t row, int64_t col) const {
    return row < 0 || row >= rows_ || col < 0 || col >= cols_ ? 0.0 : static_cast<double>(view_[row * cols_ + col]);
  }

  int64_t rows_, cols_;
  const T* view_;
};

// Sums over voxels of dL/d(u, v, w) times (1, i, j, k), and of dL/d(axis_depth).
struct MapGradient {
  std::array<double, 12> index{};
  double axis_depth = 0;

  void add(double du, double dv, double dw, double i, double j, double k) {
    const double with[3] = {du, dv, dw}, moment[4] = {1, i, j, k};
    for (std::size_t f = 0; f < 3; ++f)
      for (std::size_t m = 0; m < 4; ++m) index[4 * f + m] += with[f] * moment[m];
  }
};

// To the coefficients over positions, then through their derivative to the view's twelve numbers.
void chain(const MapGradient& g, const View& view, const ScanGeometry& geometry, const VolumeGrid& grid, double* out) {
  const Vec3 first = grid.position(0, 0, 0);
  std::array<double, 12> coefficient{};
  for (std::size_t f = 0; f < 3; ++f) {
    const double* m = g.index.data() + 4 * f;
    const Vec3 moment = m[0] * first + m[1] * grid.step_x + m[2] * grid.step_y + m[3] * grid.step_z;
    coefficient[4 * f] = m[0];
    coefficient[4 * f + 1] = moment.x;
    coefficient[4 * f + 2] = moment.y;
    coefficient[4 * f + 3] = moment.z;
  }
  coefficient[8] += g.axis_depth;
  const Vec3 parts[4] = {view.beam, view.detector, view.u, view.v};
  std::array<Dual<12>, 12> input;
  for (std::size_t p = 0; p < 4; ++p) {
    input[3 * p] = Dual<12>::variable(parts[p].x, 3 * p);
    input[3 * p + 1] = Dual<12>::variable(parts[p].y, 3 * p + 1);
    input[3 * p + 2] = Dual<12>::variable(parts[p].z, 3 * p + 2);
  }
  const auto map = map_coefficients(input, geometry.beam(), geometry.detector().rows, geometry.detector().cols);
  std::fill_n(out, 12, 0.0);
  for (std::size_t c = 0; c < 12; ++c)
    for (std::size_t n = 0; n < 12; ++n) out[n] += coefficient[c] * map[c].slope[n];
}

}  // namespace

template <class T>
void back_project_gradient(const BackProjectTask& task, const ScanGeometry& geometry, const VolumeGrid& grid,
                           const T* projections, const T* volume, double* gradient, const CancelToken& cancel) {
  at::parallel_for(0, task.views, 1, [&](int64_t begin, int64_t end) {
    for (int64_t view = begin; view < end; ++view) {
      const ViewMap& map = task.maps[view];
      const Signal<T> signal(task, projections + view * task.rows * task.cols);
      MapGradient sum;
      const T* voxel = volume;
      for (int64_t k = 0; k < task.nz; ++k) {
        cancel.check();
        for (int64_t j = 0; j < task.ny; ++j)
          for (int64_t i = 0; i < task.nx; ++i, ++voxel) {
            const auto x = static_cast<double>(i), y = static_cast<double>(j), z = static_cast<double>(k);
            const Landing at = land(task, map, z, y, x);
            if (!at.inside) continue;
            const auto local = signal.at(at.col, at.row);
            const double inverse = task.cone != 0 ? 1 / at_index(map.w, z, y, x) : 1.0;
            const double scale = static_cast<double>(*voxel) * at.weight;
            const double du = scale * local.along_col * inverse, dv = scale * local.along_row * inverse;
            double dw = 0;
            if (task.cone != 0) {
              dw = -(du * at.col + dv * at.row);
              if (task.distance == DistanceMode::fdk) {
                dw -= 2 * scale * local.value * inverse;
                sum.axis_depth += 2 * scale * local.value / map.axis_depth;
              }
            }
            sum.add(du, dv, dw, x, y, z);
          }
      }
      chain(sum, geometry.view(view), geometry, grid, gradient + 12 * view);
    }
  });
}

template void back_project_gradient(const BackProjectTask&, const ScanGeometry&, const VolumeGrid&, const float*,
                                    const float*, double*, const CancelToken&);
template void back_project_gradient(const BackProjectTask&, const ScanGeometry&, const VolumeGrid&, const double*,
                                    const double*, double*, const CancelToken&);

}  // namespace tl::ops
