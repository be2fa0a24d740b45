// Evaluates and fits the splines: products of one cubic B-spline basis per axis.
#include "gpu/alignment/frames/frame_spline.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace tl::ops {
namespace {

constexpr std::size_t axes = 3, support = 4;

struct Basis {
  int64_t first = 0;  // control point
  std::array<double, support> weight{};
};
// The basis at `position` of an axis of `size` samples with `points` control points: these are size' / (points - 3)
// apart, where size' is the distance of the outermost samples.
Basis basis_at(double position, int64_t size, int64_t points) {
  const double length = static_cast<double>(std::max<int64_t>(1, size - 1));
  const double u = std::clamp(position / length, 0.0, 1.0) * static_cast<double>(points - 3);
  Basis b;
  b.first = std::min(static_cast<int64_t>(u), points - 4);
  const double f = u - static_cast<double>(b.first), g = 1 - f;
  b.weight = {g * g * g / 6, (3 * f * f * f - 6 * f * f + 4) / 6, (3 * g * g * g - 6 * g * g + 4) / 6, f * f * f / 6};
  return b;
}

// [positions, points]: the basis at the samples of an axis.
at::Tensor basis_matrix(int64_t size, int64_t points) {
  const at::Tensor m = at::zeros({size, points}, at::kDouble);
  auto to = m.accessor<double, 2>();
  for (int64_t i = 0; i < size; ++i) {
    const Basis b = basis_at(static_cast<double>(i), size, points);
    for (std::size_t k = 0; k < support; ++k) to[i][b.first + static_cast<int64_t>(k)] += b.weight.at(k);
  }
  return m;
}

template <class F>
void each_weight(const SplineSample& s, const std::array<int64_t, axes>& size, const std::array<int64_t, axes>& points,
                 const F& f) {
  const Basis t = basis_at(s.frame, size[0], points[0]), r = basis_at(s.row, size[1], points[1]);
  const Basis c = basis_at(s.col, size[2], points[2]);
  for (std::size_t i = 0; i < support; ++i)
    for (std::size_t j = 0; j < support; ++j)
      for (std::size_t k = 0; k < support; ++k)
        f(((t.first + static_cast<int64_t>(i)) * points[1] + r.first + static_cast<int64_t>(j)) * points[2] + c.first +
              static_cast<int64_t>(k),
          t.weight.at(i) * r.weight.at(j) * c.weight.at(k));
}

// Rows of second differences of neighbouring control points along each axis.
at::Tensor second_differences(const std::array<int64_t, axes>& points) {
  const int64_t count = points[0] * points[1] * points[2];
  const at::Tensor index = at::arange(count, at::kLong).view({points[0], points[1], points[2]});
  std::vector<at::Tensor> rows;
  for (std::size_t a = 0; a < axes; ++a) {
    const auto axis = static_cast<int64_t>(a);
    const int64_t n = points.at(a) - 2;
    const at::Tensor low = index.narrow(axis, 0, n).flatten(), middle = index.narrow(axis, 1, n).flatten();
    const at::Tensor high = index.narrow(axis, 2, n).flatten();
    const at::Tensor m = at::zeros({low.numel(), count}, at::kDouble), row = at::arange(low.numel(), at::kLong);
    m.index_put_({row, low}, at::scalar_tensor(1.0, at::kDouble));
    m.index_put_({row, middle}, at::scalar_tensor(-2.0, at::kDouble));
    m.index_put_({row, high}, at::scalar_tensor(1.0, at::kDouble));
    rows.push_back(m);
  }
  return at::cat(rows);
}

}  // namespace

FrameSpline::FrameSpline(std::array<int64_t, 3> size, at::Tensor values) : size_(size), values_(std::move(values)) {
  TL_CHECK(values_.dim() == 4 && values_.size(0) == 2 && values_.scalar_type() == at::kDouble && values_.size(1) >= 4 &&
               values_.size(2) >= 4 && values_.size(3) >= 4,
           "control points are [2, frame, row, col] in double, at least 4 along each axis");
}

FrameSpline FrameSpline::fitted(std::array<int64_t, 3> size, std::array<int64_t, 3> points,
                                const std::vector<SplineSample>& samples) {
  // Far below what samples say, far above rounding: it decides where they say nothing.
  constexpr double stiffness = 1e-3;
  const auto n = static_cast<int64_t>(samples.size());
  const int64_t count = points[0] * points[1] * points[2];
  const at::Tensor matrix = at::zeros({n, count}, at::kDouble), measured = at::zeros({n, 2}, at::kDouble);
  auto m = matrix.accessor<double, 2>();
  auto v = measured.accessor<double, 2>();
  for (int64_t i = 0; i < n; ++i) {
    const SplineSample& s = samples[static_cast<std::size_t>(i)];
    v[i][0] = s.y, v[i][1] = s.x;
    each_weight(s, size, points, [&](int64_t point, double weight) { m[i][point] += weight; });
  }
  const at::Tensor smooth = stiffness * second_differences(points);
  // The smallest of all solutions, where samples and lines leave some open.
  const at::Tensor solution = std::get<0>(
      at::linalg_lstsq(at::cat({matrix, smooth}), at::cat({measured, at::zeros({smooth.size(0), 2}, at::kDouble)}),
                       std::nullopt, "gelsd"));
  return {size, solution.t().contiguous().view({2, points[0], points[1], points[2]})};
}

at::Tensor FrameSpline::displacement(int64_t frame) const {
  const Basis t = basis_at(static_cast<double>(frame), size_[0], values_.size(1));
  at::Tensor plane = at::zeros({2, values_.size(2), values_.size(3)}, at::kDouble);
  for (std::size_t i = 0; i < support; ++i)
    plane += t.weight.at(i) * values_.select(1, t.first + static_cast<int64_t>(i));
  return at::matmul(at::matmul(basis_matrix(size_[1], values_.size(2)), plane),
                    basis_matrix(size_[2], values_.size(3)).t());
}

std::array<double, 2> FrameSpline::at(const SplineSample& place) const {
  const std::array<int64_t, axes> points{values_.size(1), values_.size(2), values_.size(3)};
  const at::Tensor flat = values_.contiguous();
  const auto* c = flat.const_data_ptr<double>();
  const int64_t count = points[0] * points[1] * points[2];
  std::array<double, 2> sum{};
  each_weight(place, size_, points, [&](int64_t point, double weight) {
    sum[0] += weight * c[point];
    sum[1] += weight * c[count + point];
  });
  return sum;
}

}  // namespace tl::ops
