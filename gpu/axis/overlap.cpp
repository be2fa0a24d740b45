// Finds the rotation axis of a half-acquisition scan by correlating opposite views at every possible overlap.
#include "gpu/axis/overlap.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/sinogram.h"
#include "gpu/filtering/fft_size.h"

namespace tl::ops {
namespace {

constexpr int64_t finer = 16;

// 1 - correlation of a[view, s] with b[view, m - s] over the columns s present in both, for m from 0 to 2 w - 2. The
// axis is at (m - (w - 1)) / 2 px.
at::Tensor half_mismatch(const at::Tensor& a, const at::Tensor& b) {
  const int64_t w = a.size(1), length = fft_length(2 * w);
  // sum_s f(s) g(m - s), over all views
  const auto folded = [&](const at::Tensor& f, const at::Tensor& g) {
    const at::Tensor product = at::fft_rfft(f, length, 1) * at::fft_rfft(g, length, 1);
    return at::fft_irfft(product.sum(0), length, 0).slice(0, 0, 2 * w - 1);
  };
  const at::Tensor one = at::ones({1, w}, at::kDouble);
  const at::Tensor count = folded(one, one).round() * static_cast<double>(a.size(0));
  const at::Tensor mean_a = folded(a.sum(0, true), one) / count, mean_b = folded(one, b.sum(0, true)) / count;
  const at::Tensor var_a = folded(a.square().sum(0, true), one) / count - mean_a.square();
  const at::Tensor var_b = folded(one, b.square().sum(0, true)) / count - mean_b.square();
  const at::Tensor covariance = folded(a, b) / count - mean_a * mean_b;
  const double tiny = 1e-12 * std::max(a.square().mean().item<double>(), 1e-300);
  return 1 - covariance / (var_a * var_b).clamp_min(0).sqrt().clamp_min(tiny);
}

// Correlation at any axis position: b is shifted by the Fourier transform of its mirrored rows.
class FineMismatch {
 public:
  FineMismatch(const at::Tensor& a, const at::Tensor& b) : a_(a), w_(a.size(1)) {
    // Appended to its mirror image, so that the periodic continuation has no step.
    spectrum_ = at::fft_rfft(at::cat({b.flip({1}), b}, 1), 2 * w_, 1);
  }
  [[nodiscard]] double operator()(double axis) const {
    // The mirrored line 2 a - s lies at column s - 2 a of the flipped view.
    const at::Tensor f = at::arange(w_ + 1, at::kDouble) / static_cast<double>(2 * w_);
    const at::Tensor moved =
        at::fft_irfft(spectrum_ * at::polar(at::ones_like(f), -4 * pi * axis * f), 2 * w_, 1).slice(1, 0, w_);
    const auto from = static_cast<int64_t>(std::ceil(std::max(0.0, 2 * axis)));
    const auto to = static_cast<int64_t>(std::floor(static_cast<double>(w_ - 1) + std::min(0.0, 2 * axis))) + 1;
    const at::Tensor x = a_.slice(1, from, to), y = moved.slice(1, from, to);
    const at::Tensor dx = x - x.mean(), dy = y - y.mean();
    return 1 - ((dx * dy).sum() / (dx.square().sum() * dy.square().sum()).sqrt()).item<double>();
  }

 private:
  at::Tensor a_, spectrum_;
  int64_t w_;
};

double refine_overlap(const at::Tensor& a, const at::Tensor& b, double near) {
  const FineMismatch score(a, b);
  // The coarse search has steps of half a pixel; these are halved repeatedly.
  double step = 0.25;
  for (; step > 1.0 / finer; step /= 2) {
    const double left = score(near - step), here = score(near), right = score(near + step);
    if (left < here && left <= right) near -= step;
    if (right < here && right < left) near += step;
  }
  std::vector<double> x, y;
  for (int i = -2; i <= 2; ++i) {
    x.push_back(near + 2 * step * i);
    y.push_back(score(x.back()));
  }
  return parabola_minimum(x, y);
}

RowValue refine_overlap_row(const at::Tensor& a, const at::Tensor& b, double near) {
  const double all = refine_overlap(a, b, near);
  double squares = 0;
  const int64_t parts = a.size(0) >= 48 ? 4 : 2;
  for (int64_t i = 0; i < parts; ++i) {
    const double d = refine_overlap(a.slice(0, i, a.size(0), parts), b.slice(0, i, b.size(0), parts), all) - all;
    squares += d * d;
  }
  const auto n = static_cast<double>(parts);
  return {all, std::max(std::sqrt(squares / (n * (n - 1))), 0.01)};
}

// The candidates on one side: positions [px], and the index of the first one in the mismatch.
struct Candidates {
  std::vector<double> axis;
  int64_t first = 0;
};
Candidates candidates(int64_t w, int64_t least, OverlapSide side) {
  // At index m the overlap is w - |m - (w - 1)| columns.
  const int64_t reach = w - least, middle = w - 1;
  const int64_t low = side == OverlapSide::right ? middle : middle - reach;
  const int64_t high = side == OverlapSide::left ? middle : middle + reach;
  Candidates c;
  c.first = low;
  for (int64_t m = low; m <= high; ++m) c.axis.push_back(0.5 * static_cast<double>(m - middle));
  return c;
}

}  // namespace

OverlapResult axis_overlap(const at::Tensor& projections, const std::vector<double>& angles, const OverlapParams& p) {
  AxisSinograms s = prepare_sinograms(projections, angles, Background::keep);
  p.cancel.check();
  const std::vector<at::Tensor> halves = cut_half_turns(s);
  if (halves.size() != 2)
    throw Failure(invalid("the views cover less than a full turn", "angles", "Use a method for half a turn"));
  OverlapResult result;
  if (!s.any_contrast()) {
    result.explanation = verdict_sentence({}, result);
    return result;
  }
  const int64_t w = s.cols(), least = p.least_overlap > 0 ? p.least_overlap : std::max<int64_t>(10, w / 20);
  if (least > w) throw Failure(invalid("the least overlap is wider than the detector", "least_overlap"));
  const Candidates c = candidates(w, least, p.side);
  at::Tensor sum = at::zeros({2 * w - 1}, at::kDouble);
  for (int64_t r = 0; r < s.rows(); ++r) {
    p.cancel.check();
    if (s.contrast[static_cast<std::size_t>(r)]) sum += half_mismatch(halves[0][r], halves[1][r]);
  }
  result.curve_axis = c.axis;
  const double* at_places = sum.const_data_ptr<double>() + c.first;
  result.curve_score.assign(at_places, at_places + c.axis.size());
  const ScoreCurveResult found = judge_score_curve(result.curve_axis, result.curve_score, p.rival_share);
  result.axis = result.curve_axis[found.best];
  result.verdict = found.verdict;
  if (found.verdict == AxisVerdict::resolved || found.verdict == AxisVerdict::ambiguous) {
    std::vector<RowValue> rows;
    for (int64_t r = 0; r < s.rows(); ++r)
      if (s.contrast[static_cast<std::size_t>(r)])
        rows.push_back(refine_overlap_row(halves[0][r], halves[1][r], result.axis));
    const RowValue value = combine_rows(rows);
    result.axis = value.axis;
    result.uncertainty = value.sigma;
  }
  result.overlap = static_cast<double>(w) - 2 * std::abs(result.axis);
  result.side = result.axis < 0 ? OverlapSide::left : OverlapSide::right;
  result.explanation = "Best correlation of opposite views, which share " + two_decimals(result.overlap) +
                       " columns; the axis lies " + (result.axis < 0 ? "left" : "right") +
                       " of the centre. Uncertainty from subsets of the views. " + verdict_sentence(found, result);
  for (const std::string& note : s.notes) result.explanation += " " + note;
  const double half = 0.5 * static_cast<double>(w);
  finish_axis(result, {projections, angles, {-half, half}, p.checking, p.cancel}, AxisAssumption::nothing);
  return result;
}

}  // namespace tl::ops
