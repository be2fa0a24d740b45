// Fits harmonics of a scaled angle to central moments of the views.
#include "gpu/axis/angular_range.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/axis/sinogram.h"

namespace tl::ops {
namespace {

constexpr double widest_stretch = 0.1, stretch_step = 0.0025;  // range and step of the tried scales
constexpr double steady_mass = 0.02;                           // largest relative rms change over the views
constexpr int64_t fewest_views = 16;

// Central moments of orders 2 to 4 [order][view, row], in units of half the detector.
std::vector<at::Tensor> central_moments(const at::Tensor& data) {
  const int64_t w = data.size(2);
  const double half = 0.5 * static_cast<double>(w);
  const at::Tensor x = (at::arange(w, at::kDouble) - 0.5 * static_cast<double>(w - 1)) / half;
  const at::Tensor mass = data.sum(2);
  const at::Tensor away = x - ((data * x).sum(2) / mass).unsqueeze(2);
  std::vector<at::Tensor> moments;
  at::Tensor power = away;
  for (int order = 2; order <= 4; ++order) {
    power = power * away;
    moments.push_back(((data * power).sum(2) / mass).t().contiguous());
  }
  return moments;
}

// Orthonormal columns that span harmonics n, n - 2, ... and a constant, which rows with stripes add to odd moments.
at::Tensor harmonics(const at::Tensor& angles, int order) {
  std::vector<at::Tensor> columns = {at::ones_like(angles)};
  for (int n = order; n > 0; n -= 2) {
    columns.push_back((n * angles).cos());
    columns.push_back((n * angles).sin());
  }
  return std::get<0>(at::linalg_qr(at::stack(columns, 1)));
}

at::Tensor residual(const at::Tensor& moment, const at::Tensor& basis) {
  return moment - at::mm(basis, at::mm(basis.t(), moment));
}

// Unit for the sum of squares, per row: the variance of the noise; for a residual that is smooth in the angle,
// multiplied by the number of correlated views.
at::Tensor unit_of(const at::Tensor& moment, const at::Tensor& left, int64_t parameters) {
  const int64_t n = moment.size(0);
  const at::Tensor bend = moment.slice(0, 2, n) - 2 * moment.slice(0, 1, n - 1) + moment.slice(0, 0, n - 2);
  const at::Tensor noise = bend.square().mean(0) / 6, squares = left.square().sum(0).clamp_min(1e-300);
  const at::Tensor correlation = ((left.slice(0, 1, n) * left.slice(0, 0, n - 1)).sum(0) / squares).clamp(0, 1 - 1e-3);
  return at::maximum(noise, squares / static_cast<double>(n - parameters)) * (1 + correlation) / (1 - correlation);
}

// Sums of squares of one order for all scales, in units of their variance, over all rows.
at::Tensor misfit(const at::Tensor& moment, const std::vector<at::Tensor>& bases) {
  std::vector<at::Tensor> squares;
  for (const at::Tensor& basis : bases) squares.push_back(residual(moment, basis).square().sum(0));
  const at::Tensor all = at::stack(squares, 0);  // [scale, row]
  const at::Tensor best = all.argmin(0).contiguous();
  at::Tensor sum = at::zeros({all.size(0)}, at::kDouble);
  for (int64_t row = 0; row < moment.size(1); ++row) {
    const at::Tensor one = moment.slice(1, row, row + 1);
    const at::Tensor& basis = bases[static_cast<std::size_t>(best[row].item<int64_t>())];
    sum += all.select(1, row) / unit_of(one, residual(one, basis), basis.size(1) + 1);
  }
  return sum;
}

}  // namespace

AngularRange angular_range_by_moments(const at::Tensor& projections, const std::vector<double>& angles,
                                      const CancelToken& cancel) {
  AngularRange found;
  const AxisSinograms s = prepare_sinograms(projections.detach(), angles, Background::per_view);
  if (s.views() < fewest_views) return found;
  std::vector<at::Tensor> rows;
  for (int64_t r = 0; r < s.rows(); ++r) {
    if (!s.contrast[static_cast<std::size_t>(r)]) continue;
    const at::Tensor mass = s.data[r].sum(1);
    if (mass.std().item<double>() < steady_mass * mass.mean().item<double>()) rows.push_back(s.data[r]);
  }
  if (rows.empty()) return found;
  const std::vector<at::Tensor> moments = central_moments(at::stack(rows, 0));
  const at::Tensor plain = at::tensor(s.angles, at::kDouble);
  const auto to_each_side = static_cast<int64_t>(std::lround(widest_stretch / stretch_step));
  const int64_t scales = 2 * to_each_side + 1;
  at::Tensor sum = at::zeros({scales}, at::kDouble);
  for (int order = 2; order <= 4; ++order) {
    cancel.check();
    std::vector<at::Tensor> bases;
    for (int64_t i = 0; i < scales; ++i)
      bases.push_back(harmonics((1 + stretch_step * static_cast<double>(i - to_each_side)) * plain, order));
    sum += misfit(moments[static_cast<std::size_t>(order - 2)], bases);
  }
  const int64_t at = sum.argmin().item<int64_t>();
  if (at == 0 || at == scales - 1) return found;
  const double* v = sum.const_data_ptr<double>();
  const double bend = v[at - 1] - 2 * v[at] + v[at + 1], slope = 0.5 * (v[at + 1] - v[at - 1]);
  if (!(bend > 0)) return found;
  found.known = true;
  found.scale = 1 + stretch_step * (static_cast<double>(at - to_each_side) - slope / bend);
  found.sigma = stretch_step * std::sqrt(2 / bend);
  found.significance = std::sqrt(std::max(0.0, v[to_each_side] - v[at]));
  return found;
}

}  // namespace tl::ops
