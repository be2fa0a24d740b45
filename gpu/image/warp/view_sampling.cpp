// Samples images by cubic convolution; each image is the work of one thread, also in the transpose.
#include "gpu/image/warp/view_sampling.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"
#include "gpu/operator/own_gradient.h"

namespace tl::ops {
namespace {

constexpr std::size_t taps_along = 4;

// The pixels around a position on a line, their weights and the derivatives of the weights.
struct CubicTaps {
  std::array<int64_t, taps_along> at{};
  std::array<double, taps_along> weight{}, slope{};
  bool inside = false;
};
CubicTaps cubic_taps(double position, int64_t n) {
  const auto last = static_cast<double>(n - 1);
  CubicTaps t;
  t.inside = position >= -0.5 && position <= last + 0.5;
  if (!t.inside) return t;
  const double clamped = std::clamp(position, 0.0, last);
  const auto first = std::min(static_cast<int64_t>(clamped), std::max<int64_t>(0, n - 2));
  const double f = clamped - static_cast<double>(first);
  const double g = 1 - f;
  t.weight = {-0.5 * f * g * g, 1 + f * f * (1.5 * f - 2.5), 1 + g * g * (1.5 * g - 2.5), -0.5 * g * f * f};
  // The value is continued beyond the outermost centres.
  if (position >= 0 && position <= last)
    t.slope = {-0.5 * g * (g - 2 * f), f * (4.5 * f - 5), -g * (4.5 * g - 5), -0.5 * f * (2 * g - f)};
  for (std::size_t i = 0; i < taps_along; ++i)
    t.at.at(i) = std::clamp<int64_t>(first - 1 + static_cast<int64_t>(i), 0, n - 1);
  return t;
}

class ViewSampling final : public LinearOperator {
 public:
  explicit ViewSampling(const ViewSamplingSpec& spec) : spec_(spec) {
    spec_.positions = spec.positions.contiguous();
    range_ = {spec.shape[0], spec.positions.size(2), spec.positions.size(3)};
    points_ = range_[1] * range_[2];
  }
  [[nodiscard]] std::string name() const override { return "sampling of views"; }
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
  // y times the derivative of the samples of x with respect to the positions, [view, 2, R, C] float64.
  [[nodiscard]] at::Tensor positions_gradient(const at::Tensor& x, const at::Tensor& y) const {
    return x.scalar_type() == at::kFloat ? slopes<float>(x, y) : slopes<double>(x, y);
  }

 private:
  // Calls f(view, point, row taps, column taps) for the points inside, views in parallel.
  template <class F>
  void each_point(const F& f) const {
    const auto* positions = spec_.positions.const_data_ptr<double>();
    parallel_for(0, range_[0], 1, [&](int64_t first, int64_t last) {
      for (int64_t view = first; view < last; ++view) {
        spec_.cancel.check();
        const double* p = positions + 2 * view * points_;
        for (int64_t i = 0; i < points_; ++i) {
          const CubicTaps row = cubic_taps(p[i], spec_.shape[1]), col = cubic_taps(p[points_ + i], spec_.shape[2]);
          if (row.inside && col.inside) f(view, i, row, col);
        }
      }
    });
  }
  [[nodiscard]] int64_t pixels() const { return spec_.shape[1] * spec_.shape[2]; }
  // Sum of the pixels with these weights.
  template <class T>
  double sum(const T* image, const CubicTaps& row, const std::array<double, taps_along>& row_weights,
             const CubicTaps& col, const std::array<double, taps_along>& col_weights) const {
    double total = 0;
    for (std::size_t r = 0; r < taps_along; ++r) {
      const T* line = image + row.at.at(r) * spec_.shape[2];
      double along = 0;
      for (std::size_t c = 0; c < taps_along; ++c) along += col_weights.at(c) * static_cast<double>(line[col.at.at(c)]);
      total += row_weights.at(r) * along;
    }
    return total;
  }
  template <class T>
  [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
    at::Tensor out = at::zeros(range_, x.options());
    const T* from = x.const_data_ptr<T>();
    T* to = out.mutable_data_ptr<T>();
    each_point([&](int64_t view, int64_t i, const CubicTaps& row, const CubicTaps& col) {
      to[view * points_ + i] = static_cast<T>(sum(from + view * pixels(), row, row.weight, col, col.weight));
    });
    return out;
  }
  template <class T>
  [[nodiscard]] at::Tensor transposed(const at::Tensor& y) const {
    // In double: up to sixteen products of each nearby point are added to a pixel.
    at::Tensor out = at::zeros(spec_.shape, y.options().dtype(at::kDouble));
    const T* from = y.const_data_ptr<T>();
    auto* to = out.mutable_data_ptr<double>();
    each_point([&](int64_t view, int64_t i, const CubicTaps& row, const CubicTaps& col) {
      const auto value = static_cast<double>(from[view * points_ + i]);
      double* image = to + view * pixels();
      for (std::size_t r = 0; r < taps_along; ++r)
        for (std::size_t c = 0; c < taps_along; ++c)
          image[row.at.at(r) * spec_.shape[2] + col.at.at(c)] += row.weight.at(r) * col.weight.at(c) * value;
    });
    return out.to(y.scalar_type());
  }
  template <class T>
  [[nodiscard]] at::Tensor slopes(const at::Tensor& x, const at::Tensor& y) const {
    at::Tensor out = at::zeros(spec_.positions.sizes(), spec_.positions.options());
    const T *from = x.const_data_ptr<T>(), *weight = y.const_data_ptr<T>();
    auto* to = out.mutable_data_ptr<double>();
    each_point([&](int64_t view, int64_t i, const CubicTaps& row, const CubicTaps& col) {
      const auto w = static_cast<double>(weight[view * points_ + i]);
      const T* image = from + view * pixels();
      to[2 * view * points_ + i] = w * sum(image, row, row.slope, col, col.weight);
      to[(2 * view + 1) * points_ + i] = w * sum(image, row, row.weight, col, col.slope);
    });
    return out;
  }

  ViewSamplingSpec spec_;
  std::vector<int64_t> range_;
  int64_t points_ = 0;
};

void require_positions(const at::Tensor& positions, int64_t views) {
  TL_CHECK(positions.dim() == 4 && positions.size(0) == views && positions.size(1) == 2 &&
               positions.scalar_type() == at::kDouble && positions.device().is_cpu(),
           "positions of samples are [view, 2, row, col] in double");
}

}  // namespace

OperatorPtr make_view_sampling(const ViewSamplingSpec& spec) {
  TL_CHECK(spec.shape.size() == 3 && spec.shape[1] > 0 && spec.shape[2] > 0, "images [view, row, col] are sampled");
  require_positions(spec.positions, spec.shape[0]);
  return std::make_shared<ViewSampling>(spec);
}

at::Tensor sampled_views(const at::Tensor& views, const at::Tensor& positions, const CancelToken& cancel) {
  require_positions(positions, views.size(0));
  const at::Tensor fixed = positions.detach().contiguous();
  const auto op = std::make_shared<ViewSampling>(ViewSamplingSpec{views.sizes().vec(), fixed, cancel});
  const at::Tensor x = views.contiguous();
  at::Tensor result = op->apply(x.detach());
  if (!views.requires_grad() && !positions.requires_grad()) return result;
  const bool of_views = views.requires_grad(), of_positions = positions.requires_grad();
  return with_gradient({result}, {x, positions},
                       [op, x = x.detach(), of_views, of_positions](const Tensors& gradients) {
                         if (!gradients[0].defined()) return Tensors{at::Tensor(), at::Tensor()};
                         const at::Tensor y = gradients[0].contiguous();
                         return Tensors{of_views ? op->adjoint(y) : at::Tensor(),
                                        of_positions ? op->positions_gradient(x, y) : at::Tensor()};
                       })[0];
}

}  // namespace tl::ops
