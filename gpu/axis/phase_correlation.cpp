// Finds the rotation axis from opposite views by phase correlation: selects the views, correlates them, fits the axis
// to the peaks.
#include "gpu/axis/phase_correlation.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/sinogram.h"

namespace tl::ops {
namespace {

constexpr double curve_step = 0.25;  // [px]
// Factor and offset from errors on 30 phantoms, compared with the covariance of the fit
// (tests/bench/trust/axis_coverage_bench.cpp).
constexpr double fit_optimism = 1.2, systematic_error = 0.03;  // [px]
constexpr double farthest = 4.5;                               // largest deviation from the half turn, in angular steps
constexpr double whitening_floor = 0.2;  // fraction of the mean amplitude below which phases are unreliable

struct Pair {
  int64_t first, second;
  double angle, miss;  // angle: of the first view; miss: angle(second) - angle(first) - pi [rad]
};

std::vector<Pair> opposite_pairs(const AxisSinograms& s, int64_t most) {
  std::vector<Pair> all;
  for (int64_t i = 0; i < s.views(); ++i) {
    const double t = s.angles[static_cast<std::size_t>(i)];
    const auto from = std::lower_bound(s.angles.begin(), s.angles.end(), t + pi - farthest * s.step);
    for (auto at = from; at != s.angles.end() && *at <= t + pi + farthest * s.step; ++at)
      all.push_back({i, at - s.angles.begin(), t, *at - t - pi});
  }
  const auto class_of = [&s](const Pair& p) { return std::llround(4 * std::abs(p.miss) / std::max(s.step, 1e-12)); };
  std::stable_sort(all.begin(), all.end(), [&](const Pair& a, const Pair& b) { return class_of(a) < class_of(b); });
  const int64_t n = static_cast<int64_t>(all.size());
  if (n <= most) return all;
  // More equally good pairs than requested: spread them over the full turn.
  int64_t good = 0;
  while (good < n && class_of(all[static_cast<std::size_t>(good)]) == class_of(all[0])) ++good;
  good = std::max(good, most);
  std::vector<Pair> chosen;
  for (int64_t i = 0; i < most; ++i) chosen.push_back(all[static_cast<std::size_t>(i * good / most)]);
  return chosen;
}

// Correlation of each view with its mirrored opposite, [pair, row, candidate], 1 = perfect.
at::Tensor correlations(const AxisSinograms& s, const std::vector<Pair>& pairs, const std::vector<double>& axis,
                        double cutoff) {
  const int64_t w = s.cols(), padded = 2 * w;
  const at::Tensor f = at::arange(padded / 2 + 1, at::kDouble) / static_cast<double>(padded);
  const at::Tensor centring = at::polar(at::ones_like(f), pi * static_cast<double>(w - 1) * f);
  const at::Tensor spectra = at::fft_rfft(s.data, padded, 2) * centring;  // [row, view, f]
  std::vector<int64_t> first, second;
  for (const Pair& p : pairs) {
    first.push_back(p.first);
    second.push_back(p.second);
  }
  // If p(t + pi, s) = p(t, 2a - s), the product of the two spectra is |P|^2 exp(-4 pi i f a).
  const at::Tensor cross =
      spectra.index_select(1, at::tensor(first, at::kLong)) * spectra.index_select(1, at::tensor(second, at::kLong));
  const at::Tensor amplitude = cross.abs();
  at::Tensor pass = at::exp(-(f / cutoff).square());
  pass[0] = 0;
  const at::Tensor floor = whitening_floor * amplitude.mean(2, true) + 1e-300;
  const at::Tensor white = (cross / (amplitude + floor) * (pass / pass.sum())).permute({1, 0, 2}).contiguous();
  const at::Tensor phase = at::outer(4 * pi * f, at::tensor(axis, at::kDouble));
  return at::matmul(at::real(white).contiguous(), at::cos(phase)) -
         at::matmul(at::imag(white).contiguous(), at::sin(phase));
}

// Position of the maximum of a curve within `window` px of `near`, by a parabola through its top.
double peak(const std::vector<double>& axis, const double* curve, double near, double window) {
  std::size_t best = 0;
  double top = -2;
  for (std::size_t i = 1; i + 1 < axis.size(); ++i)
    if (std::abs(axis[i] - near) <= window && curve[i] > top) {
      top = curve[i];
      best = i;
    }
  if (best == 0) return near;
  std::vector<double> x, y;
  for (std::size_t i = best - 1; i <= best + 1; ++i) {
    x.push_back(axis[i]);
    y.push_back(-curve[i]);
  }
  return parabola_minimum(x, y);
}

// Fits axis and mean position of the object to the positions from the pairs.
RowValue fit_pairs(const std::vector<Pair>& pairs, const std::vector<double>& positions, double cols) {
  std::vector<double> model, target;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double t = pairs[i].angle, d = pairs[i].miss;
    // Parts of the object that move relative to its mean: about 0.3 % of the width per radian, in addition to 0.05 px.
    const double sigma = 0.05 + 0.003 * cols * std::abs(d);
    model.insert(model.end(), {1 / sigma, 0.5 * (std::cos(t) - std::cos(t + d)) / sigma,
                               0.5 * (std::sin(t) - std::sin(t + d)) / sigma});
    target.push_back(positions[i] / sigma);
  }
  const at::Tensor a = at::tensor(model, at::kDouble).reshape({-1, 3}), y = at::tensor(target, at::kDouble);
  // Prior: the mean position is known to an eighth of the width; it matters if the pairs do not determine it.
  const double prior = 64 / (cols * cols);
  const at::Tensor normal = at::mm(a.t(), a) + at::diag(at::tensor(std::vector<double>{0, prior, prior}, at::kDouble));
  const at::Tensor inverse = at::linalg_inv(normal);
  const at::Tensor solution = at::mv(inverse, at::mv(a.t(), y));
  const double squares = (y - at::mv(a, solution)).square().sum().item<double>();
  const double scale = pairs.size() > 3 ? squares / static_cast<double>(pairs.size() - 3) : 1;
  return {solution[0].item<double>(), std::sqrt(inverse[0][0].item<double>() * std::max(scale, 0.04))};
}

}  // namespace

AxisResult axis_phase_correlation(const at::Tensor& projections, const std::vector<double>& angles,
                                  const PhaseCorrelationParams& params) {
  if (params.pairs < 1 || !(params.cutoff > 0))
    throw Failure(invalid("phase correlation needs at least one pair and a positive cut-off", "pairs, cutoff"));
  const AxisSinograms s = prepare_sinograms(projections, angles, Background::per_view);
  const AxisRange range = axis_range(params.search, s.cols());
  AxisResult result;
  const std::vector<Pair> pairs = opposite_pairs(s, params.pairs);
  if (pairs.empty())
    throw Failure(
        invalid("no two views are half a turn apart", "angles", "Use the method of moments, or set the axis by hand"));
  if (!s.any_contrast()) {
    result.explanation = verdict_sentence({}, result);
    return result;
  }
  params.search.cancel.check();
  const int64_t count = std::max<int64_t>(3, std::llround((range.high - range.low) / curve_step) + 1);
  for (int64_t i = 0; i < count; ++i)
    result.curve_axis.push_back(range.low +
                                (range.high - range.low) * static_cast<double>(i) / static_cast<double>(count - 1));
  const at::Tensor curves = correlations(s, pairs, result.curve_axis, params.cutoff).contiguous();
  std::vector<int64_t> rows;
  for (int64_t r = 0; r < s.rows(); ++r)
    if (s.contrast[static_cast<std::size_t>(r)]) rows.push_back(r);
  const at::Tensor mean = curves.index_select(1, at::tensor(rows, at::kLong)).mean(at::IntArrayRef{0, 1}).contiguous();
  for (int64_t i = 0; i < count; ++i) result.curve_score.push_back(-mean.data_ptr<double>()[i]);

  const ScoreCurveResult found = judge_score_curve(result.curve_axis, result.curve_score, params.search.rival_share);
  result.axis = result.curve_axis[found.best];
  result.verdict = found.verdict;
  if (found.verdict == AxisVerdict::resolved || found.verdict == AxisVerdict::ambiguous) {
    std::vector<RowValue> values;
    for (const int64_t r : rows) {
      std::vector<double> positions;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double* curve = curves.data_ptr<double>() + (static_cast<int64_t>(i) * s.rows() + r) * count;
        const double window = 3 + 0.25 * static_cast<double>(s.cols()) * std::abs(pairs[i].miss);
        positions.push_back(peak(result.curve_axis, curve, result.axis, window));
      }
      values.push_back(fit_pairs(pairs, positions, static_cast<double>(s.cols())));
    }
    const RowValue value = combine_rows(values);
    result.axis = value.axis;
    result.uncertainty = std::hypot(fit_optimism * value.sigma, systematic_error);
  }
  result.explanation = std::to_string(pairs.size()) + " pairs of views, at most " +
                       two_decimals(180 / pi * std::abs(pairs.back().miss)) + " degrees off half a turn. " +
                       verdict_sentence(found, result);
  for (const std::string& note : s.notes) result.explanation += " " + note;
  finish_axis(result, {projections, angles, range, params.search.checking, params.search.cancel},
              AxisAssumption::nothing);
  return result;
}

}  // namespace tl::ops
