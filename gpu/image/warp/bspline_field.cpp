// Evaluates cubic B-splines at the voxels of a grid, one axis after the other, and the transpose.
#include "gpu/image/warp/bspline_field.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

// For each voxel along an axis: its first control point and the weights of four.
struct AxisWeights {
  std::vector<int64_t> first;
  std::vector<std::array<double, 4>> weights;
  int64_t points = 0;
};

AxisWeights axis_weights(const BSplineFieldSpec& spec, std::size_t axis) {
  AxisWeights w;
  w.points = spec.points[axis];
  for (int64_t i = 0; i < spec.shape[axis]; ++i) {
    const double at = (spec.first[axis] + static_cast<double>(i) * spec.step[axis]) / spec.spacing[axis];
    const int64_t cell = std::min(static_cast<int64_t>(at), w.points - 4);
    const double t = at - static_cast<double>(cell), s = 1 - t;
    w.first.push_back(cell);
    w.weights.push_back(
        {s * s * s / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * s * s * s - 6 * s * s + 4) / 6, t * t * t / 6});
  }
  return w;
}

class BSplineField final : public LinearOperator {
 public:
  explicit BSplineField(const BSplineFieldSpec& spec) : domain_{spec.channels}, range_{spec.channels} {
    for (std::size_t a = 0; a < 3; ++a) {
      axes_[a] = axis_weights(spec, a);
      domain_.push_back(axes_[a].points);
      range_.push_back(spec.shape[a]);
    }
  }
  [[nodiscard]] std::string name() const override { return "B-spline field"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return domain_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return range_; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, domain_, name());
    require_cpu(x, name());
    at::Tensor out = x;
    for (const std::size_t a : {2, 1, 0}) out = along<false>(out, a);
    return out;
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, range_, name());
    require_cpu(y, name());
    at::Tensor out = y;
    for (const std::size_t a : {0, 1, 2}) out = along<true>(out, a);
    return out;
  }

 private:
  template <bool is_transposed>
  [[nodiscard]] at::Tensor along(const at::Tensor& x, std::size_t axis) const {
    return x.scalar_type() == at::kFloat ? weighted<float, is_transposed>(x, axis)
                                         : weighted<double, is_transposed>(x, axis);
  }
  // Sums along one axis; all axes after it in memory form one row.
  template <class T, bool is_transposed>
  [[nodiscard]] at::Tensor weighted(const at::Tensor& x, std::size_t axis) const {
    const AxisWeights& w = axes_[axis];
    std::vector<int64_t> shape = x.sizes().vec();
    int64_t row = 1, lines = 1;
    for (std::size_t a = axis + 2; a < 4; ++a) row *= shape[a];
    for (std::size_t a = 0; a < axis + 1; ++a) lines *= shape[a];
    const auto voxels = static_cast<int64_t>(w.first.size());
    shape[axis + 1] = is_transposed ? w.points : voxels;
    at::Tensor out = at::zeros(shape, x.options());
    const T* from = x.const_data_ptr<T>();
    T* to = out.mutable_data_ptr<T>();
    ops::parallel_for(0, lines, 1, [&](int64_t begin, int64_t end) {
      for (int64_t line = begin; line < end; ++line) {
        const T* in = from + line * (is_transposed ? voxels : w.points) * row;
        T* result = to + line * (is_transposed ? w.points : voxels) * row;
        for (int64_t i = 0; i < voxels; ++i)
          for (int64_t k = 0; k < 4; ++k) {
            const auto weight = static_cast<T>(w.weights[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)]);
            const int64_t point = w.first[static_cast<std::size_t>(i)] + k;
            const T* a = in + (is_transposed ? i : point) * row;
            T* b = result + (is_transposed ? point : i) * row;
            for (int64_t r = 0; r < row; ++r) b[r] += weight * a[r];
          }
      }
    });
    return out;
  }

  std::array<AxisWeights, 3> axes_;
  std::vector<int64_t> domain_, range_;
};

}  // namespace

int64_t control_points(int64_t n, double spacing) {
  return static_cast<int64_t>(std::ceil(static_cast<double>(n - 1) / spacing - 1e-9)) + 3 + (n == 1 ? 1 : 0);
}

OperatorPtr make_bspline_field(const BSplineFieldSpec& spec) {
  for (std::size_t a = 0; a < 3; ++a)
    TL_CHECK(spec.shape[a] > 0 && spec.spacing[a] > 0 && spec.points[a] >= 4 && spec.first[a] >= 0 &&
                 spec.first[a] + static_cast<double>(spec.shape[a] - 1) * spec.step[a] <=
                     static_cast<double>(spec.points[a] - 3) * spec.spacing[a] + 1e-6,
             "the control points of a field reach around its voxels");
  return std::make_shared<BSplineField>(spec);
}

}  // namespace tl::ops
