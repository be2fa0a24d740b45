// Finds the rotation axis by Vo's metric on sinograms stacked with their mirror images, coarsely, then finely.
#include "gpu/axis/vo.h"

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

constexpr int64_t coarse_cols = 128, coarse_views = 180;
// Factor and offset from errors on 30 phantoms, compared with the scatter of the subsets
// (tests/bench/trust/axis_coverage_bench.cpp): columns that the mirror image does not cover bias all subsets equally,
// so that their scatter is too small.
constexpr double subset_optimism = 3.3, model_error = 0.05;  // [px]
constexpr int64_t batch_elements = int64_t{1} << 22;         // elements at a time (32 MB as complex floats)

// 1 outside the double wedge, for the half spectrum of [2n, w]; times a Gaussian low-pass of `smoothing` px.
at::Tensor mask(int64_t rows, int64_t cols, double smoothing, const VoParams& p) {
  const at::Tensor m = at::fft_fftfreq(rows, 1.0 / static_cast<double>(rows), at::kDouble).round().abs().unsqueeze(1);
  const at::Tensor k = at::arange(cols / 2 + 1, at::kDouble).unsqueeze(0);
  const double width = static_cast<double>(cols),
               dv = (static_cast<double>(rows) - 1) / (2 * pi * static_cast<double>(rows));
  const at::Tensor edge = (m * (dv / (0.5 * p.ratio * width) * width)).round();
  const double drop = std::min(static_cast<double>(p.drop), std::ceil(0.05 * static_cast<double>(rows)));
  const at::Tensor outside = k.le(edge).logical_and(m.gt(drop)).logical_and(k.gt(1)).to(at::kDouble);
  const at::Tensor fm = m / static_cast<double>(rows), fk = k / width;
  return outside * at::exp(-2 * pi * pi * smoothing * smoothing * (fm.square() + fk.square()));
}

// Scores of candidates [px] for one half turn [n, w].
std::vector<double> scores(const at::Tensor& wide, const std::vector<double>& axis, double smoothing,
                           const VoParams& p) {
  // float32 halves the time and suffices for a mean amplitude.
  const at::Tensor sinogram = wide.to(at::kFloat);
  const int64_t n = sinogram.size(0), w = sinogram.size(1), padded = 2 * w;
  const at::Tensor outside = mask(2 * n, w, smoothing, p).to(at::kFloat);
  const at::Tensor mirrored = at::fft_rfft(at::flip(sinogram, {1}), padded, 1);
  const at::Tensor reversed = at::flip(sinogram, {0});
  const at::Tensor f = at::arange(padded / 2 + 1, at::kDouble) / static_cast<double>(padded);
  const at::Tensor column = at::arange(w, at::kDouble);
  const int64_t chunk = std::max<int64_t>(1, batch_elements / (4 * n * w));
  std::vector<double> out;
  for (std::size_t begin = 0; begin < axis.size(); begin += static_cast<std::size_t>(chunk)) {
    p.search.cancel.check();
    const std::size_t end = std::min(axis.size(), begin + static_cast<std::size_t>(chunk));
    // Mirroring about the axis a is mirroring about the centre, followed by a shift of 2a.
    const at::Tensor shift = 2 * at::tensor(std::vector<double>(axis.begin() + static_cast<std::ptrdiff_t>(begin),
                                                                axis.begin() + static_cast<std::ptrdiff_t>(end)),
                                            at::kDouble);
    const at::Tensor phase = -2 * pi * at::outer(shift, f);
    const at::Tensor turned =
        mirrored.unsqueeze(0) * at::polar(at::ones_like(phase), phase).to(at::kComplexFloat).unsqueeze(1);
    const at::Tensor moved = at::fft_irfft(turned, padded, 2).slice(2, 0, w);
    const at::Tensor source = column.unsqueeze(0) - shift.unsqueeze(1);
    const at::Tensor reached = source.ge(0).logical_and(source.le(static_cast<double>(w - 1))).unsqueeze(1);
    const at::Tensor lower = at::where(reached, moved, reversed.unsqueeze(0));
    const at::Tensor stacked = at::cat({sinogram.unsqueeze(0).expand_as(lower), lower}, 1);
    const at::Tensor metric =
        (at::fft_rfft2(stacked).abs() * outside).mean(at::IntArrayRef{1, 2}, false, at::kDouble).contiguous();
    out.insert(out.end(), metric.data_ptr<double>(), metric.data_ptr<double>() + metric.numel());
  }
  return out;
}

std::vector<double> axes_between(double low, double high, double step) {
  const int64_t count = std::max<int64_t>(3, std::llround((high - low) / step) + 1);
  std::vector<double> out;
  for (int64_t i = 0; i < count; ++i)
    out.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1));
  return out;
}

// Reduces to at most 128 columns and 180 views, by binning columns and skipping views.
at::Tensor binned_rows(const at::Tensor& sinogram, int64_t& factor) {
  factor = (sinogram.size(1) + coarse_cols - 1) / coarse_cols;
  const int64_t w = sinogram.size(1) / factor, every = std::max<int64_t>(1, sinogram.size(0) / coarse_views);
  const at::Tensor joined = sinogram.slice(1, 0, w * factor).reshape({-1, w, factor}).mean(2);
  const int64_t kept = sinogram.size(0) / every;
  return joined.slice(0, 0, kept * every, every).contiguous();
}

// Minimum of the metric within `reach` of a position, by successively finer steps.
double refine_vo(const at::Tensor& sinogram, double near, double reach, const VoParams& p) {
  for (double step = reach / 6; step > p.fine_step; step = reach / 6) {
    const std::vector<double> axis = axes_between(near - reach, near + reach, step);
    const std::vector<double> score = scores(sinogram, axis, 1, p);
    near = axis[static_cast<std::size_t>(std::min_element(score.begin(), score.end()) - score.begin())];
    reach = 1.5 * step;
  }
  // Parabola through +- 1 px around the lowest score.
  const std::vector<double> axis = axes_between(near - 2, near + 2, p.fine_step);
  const std::vector<double> score = scores(sinogram, axis, 1, p);
  const auto best = std::min_element(score.begin(), score.end()) - score.begin();
  const auto count = static_cast<std::ptrdiff_t>(axis.size());
  const auto span = std::min(std::max<std::ptrdiff_t>(1, std::llround(1 / p.fine_step)), (count - 1) / 2);
  const auto from = std::clamp<std::ptrdiff_t>(best - span, 0, count - 2 * span - 1), to = from + 2 * span + 1;
  return parabola_minimum({axis.begin() + from, axis.begin() + to}, {score.begin() + from, score.begin() + to});
}

RowValue refine_vo_row(const std::vector<at::Tensor>& halves, int64_t row, double near, double reach,
                       const VoParams& p) {
  std::vector<double> all, parts;
  for (const at::Tensor& half : halves) {
    const double a = refine_vo(half[row], near, reach, p);
    all.push_back(a);
    const int64_t n = half.size(1), subsets = n >= 120 ? 4 : 2, length = n / subsets * subsets;
    for (int64_t i = 0; i < subsets; ++i)
      parts.push_back(refine_vo(half[row].slice(0, i, length, subsets), a, p.fine_step, p));
  }
  double mean = 0, centre = 0, squares = 0;
  for (const double a : all) mean += a / static_cast<double>(all.size());
  for (const double a : parts) centre += a / static_cast<double>(parts.size());
  for (const double a : parts) squares += (a - centre) * (a - centre);
  const double k = static_cast<double>(parts.size());
  return {mean, std::max(std::sqrt(squares / (k * (k - 1))), 0.01)};
}

// Candidates of the default range outside the searched range.
std::vector<double> outside_range(const AxisRange& searched, const AxisRange& usual, double step) {
  std::vector<double> out;
  for (const double a : axes_between(usual.low, usual.high, step))
    if (a < searched.low || a > searched.high) out.push_back(a);
  return out;
}

// Whether the minimum of `outside` is below `inside` by more than a fifth of the whole curve's depth.
bool much_lower(const std::vector<double>& outside, std::vector<double> all, double inside) {
  if (outside.empty()) return false;
  const double low = *std::min_element(outside.begin(), outside.end());
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return inside - low > 0.2 * (all[all.size() / 2] - low);
}

}  // namespace

AxisResult axis_vo(const at::Tensor& projections, const std::vector<double>& angles, const VoParams& p) {
  if (!(p.fine_step > 0) || p.fine_step > 1 || !(p.ratio > 0) || p.drop < 0)
    throw Failure(invalid("Vo's method needs a positive fine range, a smaller positive step and a positive ratio",
                          "fine search"));
  AxisSinograms sinograms = prepare_sinograms(projections, angles, Background::per_view);
  const AxisRange range = axis_range(p.search, sinograms.cols());
  AxisResult result;
  if (!sinograms.any_contrast()) {
    result.explanation = verdict_sentence({}, result);
    return result;
  }
  const std::vector<at::Tensor> halves = cut_half_turns(sinograms);
  std::vector<double> relative, searched, added;
  double coarse_step = 0.5;
  for (int64_t r = 0; r < sinograms.rows(); ++r)
    for (const at::Tensor& half : halves) {
      if (!sinograms.contrast[static_cast<std::size_t>(r)]) continue;
      int64_t factor = 1;
      const at::Tensor small = binned_rows(half[r], factor);
      // Columns that do not fill a bin are dropped at the right, which shifts the centre by half of them.
      const double scale = static_cast<double>(factor);
      const double moved = -0.5 * (static_cast<double>(sinograms.cols()) - scale * static_cast<double>(small.size(1)));
      coarse_step = 0.5 * scale;
      searched = axes_between(range.low, range.high, coarse_step);
      added = outside_range(range, axis_range({}, sinograms.cols()), coarse_step);
      std::vector<double> axis = searched;
      axis.insert(axis.end(), added.begin(), added.end());
      for (double& a : axis) a = (a - moved) / scale;
      const std::vector<double> score = scores(small, axis, 0, p);
      double mean = 0;
      for (const double v : score) mean += v / static_cast<double>(score.size());
      relative.resize(score.size(), 0.0);
      for (std::size_t i = 0; i < score.size(); ++i) relative[i] += score[i] / mean;
    }
  const double best = *std::max_element(relative.begin(), relative.end());
  for (double& v : relative) v /= best;
  result.curve_axis = searched;
  result.curve_score.assign(relative.begin(), relative.begin() + static_cast<std::ptrdiff_t>(searched.size()));
  ScoreCurveResult found = judge_score_curve(result.curve_axis, result.curve_score, p.search.rival_share);
  result.axis = result.curve_axis[found.best];
  // The minimum of a narrow range is only local if there is a much lower one outside it.
  const std::vector<double> outside(relative.begin() + static_cast<std::ptrdiff_t>(searched.size()), relative.end());
  if (found.verdict == AxisVerdict::resolved && much_lower(outside, relative, result.curve_score[found.best]))
    found.verdict = AxisVerdict::railed;
  result.verdict = found.verdict;
  if (found.verdict == AxisVerdict::resolved || found.verdict == AxisVerdict::ambiguous) {
    std::vector<RowValue> rows;
    for (int64_t r = 0; r < sinograms.rows(); ++r)
      if (sinograms.contrast[static_cast<std::size_t>(r)])
        rows.push_back(refine_vo_row(halves, r, result.axis, 1.5 * coarse_step, p));
    const RowValue value = combine_rows(rows);
    result.axis = value.axis;
    result.uncertainty = std::hypot(subset_optimism * value.sigma, model_error);
  }
  result.explanation =
      "Least spectral amplitude outside the double wedge; uncertainty from interleaved subsets of the views, and 0.05 "
      "px "
      "of the method. " +
      verdict_sentence(found, result);
  for (const std::string& note : sinograms.notes) result.explanation += " " + note;
  finish_axis(result, {projections, angles, range, p.search.checking, p.search.cancel}, AxisAssumption::nothing);
  return result;
}

}  // namespace tl::ops
