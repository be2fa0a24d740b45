// Samples volumes trilinearly at any points; the transpose gathers slab by slab, so that its sums have a fixed order.
#include "gpu/image/warp/volume_sampling.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/operator/own_gradient.h"

namespace tl::ops {
namespace {

// The two voxels around a position on a line of n voxels; `slope`: 0 beyond the ends, where the value is constant.
struct Ends {
  int64_t first, second;
  double share, slope;
  bool inside;
};
Ends ends_of(double position, int64_t n) {
  const auto last = static_cast<double>(n - 1);
  if (!(position >= -0.5 && position <= last + 0.5)) return {0, 0, 0, 0, false};
  if (position <= 0) return {0, 0, 0, position == 0 && n > 1 ? 1.0 : 0.0, true};
  if (position >= last) return {n - 1, n - 1, 0, 0, true};
  const auto first = static_cast<int64_t>(position);
  return {first, first + 1, position - static_cast<double>(first), 1, true};
}

struct Taps {
  Ends z, y, x;
  [[nodiscard]] bool inside() const { return z.inside && y.inside && x.inside; }
};

class VolumeSampling final : public LinearOperator {
 public:
  explicit VolumeSampling(const VolumeSamplingSpec& spec) : spec_(spec) {
    spec_.positions = spec.positions.contiguous();
    range_ = spec.positions.sizes().slice(1).vec();
    points_ = range_[0] * range_[1] * range_[2];
  }
  [[nodiscard]] std::string name() const override { return "sampling of a volume"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return spec_.shape; }
  [[nodiscard]] std::vector<int64_t> range() const override { return range_; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, spec_.shape, name());
    require_cpu(x, name());
    return x.scalar_type() == at::kFloat ? forward<float>(x) : forward<double>(x);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, range_, name());
    require_cpu(y, name());
    return y.scalar_type() == at::kFloat ? transposed<float>(y) : transposed<double>(y);
  }
  // y times the derivative of the samples of x with respect to the positions, [3, Z, Y, X] float64.
  [[nodiscard]] at::Tensor positions_gradient(const at::Tensor& x, const at::Tensor& y) const {
    return x.scalar_type() == at::kFloat ? slopes<float>(x, y) : slopes<double>(x, y);
  }

 private:
  [[nodiscard]] Taps taps(int64_t point) const {
    const auto* p = spec_.positions.const_data_ptr<double>() + point;
    return {ends_of(p[0], spec_.shape[0]), ends_of(p[points_], spec_.shape[1]),
            ends_of(p[2 * points_], spec_.shape[2])};
  }
  // Calls f(point) for all, slices of points in parallel.
  template <class F>
  void each_point(const F& f) const {
    const int64_t slice = range_[1] * range_[2];
    ops::parallel_for(0, range_[0], 1, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) {
        spec_.cancel.check();
        for (int64_t i = k * slice; i < (k + 1) * slice; ++i) f(i);
      }
    });
  }
  // The values at the eight corners, [z][y][x].
  template <class T>
  void corners(const T* volume, const Taps& t, double (&c)[8]) const {
    const int64_t ny = spec_.shape[1], nx = spec_.shape[2];
    int at = 0;
    for (const int64_t z : {t.z.first, t.z.second})
      for (const int64_t y : {t.y.first, t.y.second})
        for (const int64_t x : {t.x.first, t.x.second}) c[at++] = static_cast<double>(volume[(z * ny + y) * nx + x]);
  }

  template <class T>
  [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
    at::Tensor out = at::empty(range_, x.options());
    const T* from = x.const_data_ptr<T>();
    T* to = out.mutable_data_ptr<T>();
    each_point([&](int64_t i) {
      const Taps t = taps(i);
      if (!t.inside()) {
        to[i] = 0;
        return;
      }
      double c[8];
      corners(from, t, c);
      const double a = t.x.share, b = t.y.share, d = t.z.share;
      const double low = (1 - b) * ((1 - a) * c[0] + a * c[1]) + b * ((1 - a) * c[2] + a * c[3]);
      const double high = (1 - b) * ((1 - a) * c[4] + a * c[5]) + b * ((1 - a) * c[6] + a * c[7]);
      to[i] = static_cast<T>((1 - d) * low + d * high);
    });
    return out;
  }

  template <class T>
  [[nodiscard]] at::Tensor slopes(const at::Tensor& x, const at::Tensor& y) const {
    at::Tensor out = at::zeros(spec_.positions.sizes(), spec_.positions.options());
    const T *from = x.const_data_ptr<T>(), *weight = y.const_data_ptr<T>();
    auto* to = out.mutable_data_ptr<double>();
    each_point([&](int64_t i) {
      const Taps t = taps(i);
      if (!t.inside() || weight[i] == 0) return;
      double c[8];
      corners(from, t, c);
      const double a = t.x.share, b = t.y.share, d = t.z.share, w = static_cast<double>(weight[i]);
      const auto along_x = [&](int row) { return (1 - a) * c[row] + a * c[row + 1]; };
      const auto along_y = [&](int plane) { return (1 - b) * along_x(plane) + b * along_x(plane + 2); };
      to[i] = w * t.z.slope * (along_y(4) - along_y(0));
      to[points_ + i] = w * t.y.slope * ((1 - d) * (along_x(2) - along_x(0)) + d * (along_x(6) - along_x(4)));
      to[2 * points_ + i] =
          w * t.x.slope *
          ((1 - d) * ((1 - b) * (c[1] - c[0]) + b * (c[3] - c[2])) + d * ((1 - b) * (c[5] - c[4]) + b * (c[7] - c[6])));
    });
    return out;
  }

  // For each slice of points, the range of slices of the volume that it uses, both ends included.
  [[nodiscard]] std::vector<std::pair<int64_t, int64_t>> touched() const {
    const int64_t slice = range_[1] * range_[2];
    std::vector<std::pair<int64_t, int64_t>> reach(static_cast<std::size_t>(range_[0]),
                                                   {std::numeric_limits<int64_t>::max(), -1});
    each_point([&](int64_t i) {
      const Taps t = taps(i);
      if (!t.inside()) return;
      auto& [low, high] = reach[static_cast<std::size_t>(i / slice)];
      low = std::min(low, t.z.first);
      high = std::max(high, t.z.second);
    });
    return reach;
  }

  // A thread owns some slices of the volume and processes the points that use them, in order.
  template <class T>
  [[nodiscard]] at::Tensor transposed(const at::Tensor& y) const {
    at::Tensor out = at::zeros(spec_.shape, y.options());
    const T* from = y.const_data_ptr<T>();
    T* to = out.mutable_data_ptr<T>();
    const int64_t slice = range_[1] * range_[2], ny = spec_.shape[1], nx = spec_.shape[2];
    const auto reach = touched();
    ops::parallel_for(0, spec_.shape[0], 4, [&](int64_t first, int64_t last) {
      for (int64_t k = 0; k < range_[0]; ++k) {
        const auto [low, high] = reach[static_cast<std::size_t>(k)];
        if (high < first || low >= last) continue;
        spec_.cancel.check();
        for (int64_t i = k * slice; i < (k + 1) * slice; ++i) {
          const Taps t = taps(i);
          if (!t.inside()) continue;
          const auto value = static_cast<double>(from[i]);
          for (const auto& [z, wz] : {std::pair{t.z.first, 1 - t.z.share}, std::pair{t.z.second, t.z.share}}) {
            if (z < first || z >= last || wz == 0) continue;
            for (const auto& [row, wy] : {std::pair{t.y.first, 1 - t.y.share}, std::pair{t.y.second, t.y.share}}) {
              T* line = to + (z * ny + row) * nx;
              line[t.x.first] += static_cast<T>(wz * wy * (1 - t.x.share) * value);
              line[t.x.second] += static_cast<T>(wz * wy * t.x.share * value);
            }
          }
        }
      }
    });
    return out;
  }

  VolumeSamplingSpec spec_;
  std::vector<int64_t> range_;
  int64_t points_ = 0;
};

void require_positions(const at::Tensor& positions) {
  TL_CHECK(positions.dim() == 4 && positions.size(0) == 3 && positions.scalar_type() == at::kDouble &&
               positions.device().is_cpu(),
           "positions of samples are [3, z, y, x] in double");
}

}  // namespace

OperatorPtr make_volume_sampling(const VolumeSamplingSpec& spec) {
  TL_CHECK(spec.shape.size() == 3 && spec.shape[0] > 0 && spec.shape[1] > 0 && spec.shape[2] > 0,
           "a volume [z, y, x] is sampled");
  require_positions(spec.positions);
  return std::make_shared<VolumeSampling>(spec);
}

at::Tensor sampled(const at::Tensor& volume, const at::Tensor& positions, const CancelToken& cancel) {
  require_positions(positions);
  const at::Tensor fixed = positions.detach().contiguous();
  const auto op = std::make_shared<VolumeSampling>(VolumeSamplingSpec{volume.sizes().vec(), fixed, cancel});
  const at::Tensor x = volume.contiguous();
  at::Tensor result = op->apply(x.detach());
  if (!volume.requires_grad() && !positions.requires_grad()) return result;
  const bool of_volume = volume.requires_grad(), of_positions = positions.requires_grad();
  return with_gradient({result}, {x, positions},
                       [op, x = x.detach(), of_volume, of_positions](const Tensors& gradients) {
                         if (!gradients[0].defined()) return Tensors{at::Tensor(), at::Tensor()};
                         const at::Tensor y = gradients[0].contiguous();
                         return Tensors{of_volume ? op->adjoint(y) : at::Tensor(),
                                        of_positions ? op->positions_gradient(x, y) : at::Tensor()};
                       })[0];
}

at::Tensor positions_inside(const std::vector<int64_t>& shape, const at::Tensor& positions) {
  at::Tensor inside = at::ones(positions.sizes().slice(1), at::kBool);
  for (int64_t a = 0; a < 3; ++a) {
    const at::Tensor p = positions.detach()[a];
    inside.logical_and_(p.ge(-0.5)).logical_and_(p.le(static_cast<double>(shape[static_cast<std::size_t>(a)]) - 0.5));
  }
  return inside;
}

}  // namespace tl::ops
