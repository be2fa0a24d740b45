// Finds the rotation axis of a cone or fan beam from opposite rays: scores candidates coarsely, then finely; the
// uncertainty comes from blocks of views.
#include "gpu/axis/conjugate_rays.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/sinogram.h"
#include "gpu/correction/scan_noise.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

constexpr int64_t coarse_ray_cols = 128, coarse_ray_modes = 64;
constexpr double fewest_columns = 4;  // on each side of a candidate; fewer columns are not sufficient
constexpr double edge = 0.1;          // outer fraction of columns faded out: opposite rays may miss the detector
constexpr double ray_step = 0.5;      // [px], half the correlation length of the noise
constexpr int64_t view_blocks = 24;
constexpr double fewest_shared = 12;         // smallest number of columns with opposite rays for a resolved result
constexpr double ray_sampling_sigma = 0.02;  // [px] due to the pixel sampling, common to all blocks

// One sinogram [view, col] of a full turn as Fourier series along the views, and its mirror image, ready to be
// shifted.
class Fan {
 public:
  Fan(const at::Tensor& sinogram, double fan_per_column, int64_t modes)
      : views_(sinogram.size(0)), cols_(sinogram.size(1)), fan_per_column_(fan_per_column) {
    series_ = at::fft_rfft(sinogram, std::nullopt, 0).slice(0, 0, modes).contiguous();
    mirrored_ = at::fft_fft(at::flip(series_, {1}), 2 * cols_, 1);
    frequency_ = at::fft_fftfreq(2 * cols_, 1.0, at::kDouble);
    mode_ = at::arange(series_.size(0), at::kDouble);
    // A real signal contains each mode twice, except the constant and the alternating one.
    weight_ = at::full({series_.size(0), 1}, 2.0 / static_cast<double>(views_), at::kDouble);
    weight_[0] /= 2;
    if (views_ % 2 == 0 && series_.size(0) == views_ / 2 + 1) weight_[series_.size(0) - 1] /= 2;
  }

  [[nodiscard]] int64_t modes() const { return series_.size(0); }

  // Squared differences of opposite rays and the energy of both, over columns whose opposite column exists.
  struct Score {
    double difference = 0, energy = 0, columns = 0;  // columns: weighted
    [[nodiscard]] double relative() const { return energy > 0 ? difference / energy : 1; }
    [[nodiscard]] double per_column() const {
      return columns > 0 ? difference / columns : std::numeric_limits<double>::infinity();
    }
  };
  [[nodiscard]] Score score(double axis) const {
    const at::Tensor window = window_at(axis);
    if (!window.defined()) return {};
    const at::Tensor opposite = opposite_at(axis), weight = weight_ * window;
    return {total(weight * power(series_ - opposite)), total(weight * (power(series_) + power(opposite))),
            total(window)};
  }
  // Sum of squared differences for each view [view].
  [[nodiscard]] at::Tensor difference_by_view(double axis) const {
    const at::Tensor rays = at::fft_irfft(series_ - opposite_at(axis), views_, 0);
    return (rays.square() * window_at(axis)).sum(1);
  }
  [[nodiscard]] bool sees(double axis) const { return window_at(axis).defined(); }
  // For the mean view: difference of opposite rays [col], unweighted and weighted.
  [[nodiscard]] at::Tensor unlike(double axis) const { return at::real(series_ - opposite_at(axis)); }
  [[nodiscard]] at::Tensor weighted_unlike(double axis) const { return unlike(axis) * window_at(axis); }

 private:
  static at::Tensor power(const at::Tensor& z) { return at::real(z).square() + at::imag(z).square(); }

  // Distance of each column from the axis [px].
  [[nodiscard]] at::Tensor columns_from(double axis) const {
    return at::arange(cols_, at::kDouble) - (0.5 * static_cast<double>(cols_ - 1) + axis);
  }
  // Weights of the columns: zero without an opposite column on the detector, fading out so that the score is smooth.
  [[nodiscard]] at::Tensor window_at(double axis) const {
    const double half = 0.5 * static_cast<double>(cols_ - 1) - std::abs(axis);
    if (half < fewest_columns) return {};
    const at::Tensor inside = ((half - columns_from(axis).abs()) / (edge * half)).clamp(0, 1);
    return at::sin(0.5 * pi * inside).square();
  }
  // The series of p(t + pi - 2 g, 2 axis - u).
  [[nodiscard]] at::Tensor opposite_at(double axis) const {
    const at::Tensor shift = -4 * pi * axis * frequency_;
    const at::Tensor moved =
        at::fft_ifft(mirrored_ * at::polar(at::ones_like(shift), shift), std::nullopt, 1).slice(1, 0, cols_);
    const at::Tensor turn = pi - 2 * at::atan(columns_from(axis) * fan_per_column_);
    const at::Tensor phase = at::outer(mode_, turn);
    return moved * at::polar(at::ones_like(phase), phase);
  }

  int64_t views_, cols_;
  double fan_per_column_;
  at::Tensor series_, mirrored_;  // [mode, col], [mode, frequency]
  at::Tensor frequency_, mode_, weight_;
};

struct Coarse {
  std::vector<double> axis, score, difference;  // difference: mean square, not divided by the energy
};

// One sinogram with binned columns and low angular frequencies only.
struct CoarseFan {
  double size = 1, centre = 0;  // size: columns per bin; columns dropped on the right shift the centre
  Fan fan;

  CoarseFan(const at::Tensor& sinogram, double fan_per_column)
      : size(static_cast<double>(std::max<int64_t>(1, sinogram.size(1) / coarse_ray_cols))),
        fan(joined(sinogram, static_cast<int64_t>(size)), fan_per_column * size, coarse_ray_modes) {
    const auto w = static_cast<double>(sinogram.size(1));
    centre = 0.5 * (w - size * std::floor(w / size));
  }
  [[nodiscard]] Fan::Score score_at(double axis) const { return fan.score((axis + centre) / size); }
  [[nodiscard]] double score(double axis) const { return score_at(axis).relative(); }

 private:
  static at::Tensor joined(const at::Tensor& sinogram, int64_t bin) {
    const int64_t cols = sinogram.size(1) / bin;
    return sinogram.slice(1, 0, cols * bin).reshape({-1, cols, bin}).mean(2);
  }
};

// The score curve over the whole range.
Coarse coarse_curve(const at::Tensor& sinogram, const AxisRange& range, const ConjugateRaysParams& p) {
  const CoarseFan fan(sinogram, p.fan_per_column);
  Coarse curve;
  const int64_t count = std::max<int64_t>(5, std::llround(2 * (range.high - range.low) / fan.size) + 1);
  for (int64_t i = 0; i < count; ++i) {
    p.search.cancel.check();
    curve.axis.push_back(range.low +
                         (range.high - range.low) * static_cast<double>(i) / static_cast<double>(count - 1));
    const Fan::Score score = fan.score_at(curve.axis.back());
    curve.score.push_back(score.relative());
    curve.difference.push_back(score.per_column());
  }
  return curve;
}

// Position of the best score if it is outside the range: the best position inside is then only a local optimum.
std::optional<double> better_outside(const at::Tensor& sinogram, const AxisRange& range, double best_inside,
                                     const ConjugateRaysParams& p) {
  const double half = 0.5 * static_cast<double>(sinogram.size(1));
  if (range.low <= -half && range.high >= half) return std::nullopt;
  const Coarse whole = coarse_curve(sinogram, {-half, half}, p);
  const auto best = std::min_element(whole.score.begin(), whole.score.end());
  const double axis = whole.axis[static_cast<std::size_t>(best - whole.score.begin())];
  if (*best >= best_inside || (axis >= range.low && axis <= range.high)) return std::nullopt;
  return axis;
}

// The optimum next to `near`, by parabolas through three scores until convergence.
double refine(const Fan& fan, double near, double reach, const CancelToken& cancel) {
  double at = near, step = reach;
  for (bool last = false; !last; step = std::max(step / 2, ray_step)) {
    last = step <= ray_step;
    for (int i = 0; i < 3; ++i) {
      cancel.check();
      const std::vector<double> x = {at - step, at, at + step};
      std::vector<double> y;
      for (const double a : x) y.push_back(fan.score(a).relative());
      const double moved = parabola_minimum(x, y) - at;
      at += moved;
      if (std::abs(moved) < 0.25 * step) break;
    }
  }
  return at;
}

// Variance of the slope due to noise common to all views of a pixel, as from flats. It is the same at all angles, so
// only the mean view matters: f(x) = |x - mirrored x|^2 has the derivative 2 (1 - mirrored) (x - mirrored x).
double shared_slope_variance(const at::Tensor& sinogram, double at, double fan_per_column) {
  const at::Tensor shape = sinogram.clamp(-20, 20).exp();
  const double level = independent_noise_level(sinogram, shape);
  const double variance = shared_noise_variance(sinogram, level * level * shape);
  const Fan mean(sinogram.mean(0, true), fan_per_column, 1);
  const auto pull = [&](double axis) {
    return 2 * Fan(mean.weighted_unlike(axis), fan_per_column, 1).unlike(axis) * static_cast<double>(sinogram.size(0));
  };
  return variance * total(((pull(at + ray_step) - pull(at - ray_step)) / (2 * ray_step)).square());
}

// One sigma of the optimum; its derivative with respect to the weight of a block of views is slope / curvature. A pair
// of rays contributes to the blocks of both views, which doubles the variance of independent blocks. `shared`: variance
// of the slope common to all blocks.
double jackknife(const Fan& fan, double at, double shared) {
  const at::Tensor low = fan.difference_by_view(at - ray_step), middle = fan.difference_by_view(at),
                   high = fan.difference_by_view(at + ray_step);
  const double curvature = total(high - 2 * middle + low) / (ray_step * ray_step);
  if (!(curvature > 0)) return 0;
  const at::Tensor slope = (high - low) / (2 * ray_step);
  const int64_t n = slope.size(0), blocks = std::min(view_blocks, n);
  std::vector<double> sums;
  double mean = 0, squares = 0;
  for (int64_t b = 0; b < blocks; ++b) {
    sums.push_back(total(slope.slice(0, n * b / blocks, n * (b + 1) / blocks)));
    mean += sums.back() / static_cast<double>(blocks);
  }
  for (const double s : sums) squares += (s - mean) * (s - mean);
  const auto count = static_cast<double>(blocks);
  return std::sqrt(2 * squares * count / (count - 1) + shared) / curvature;
}

RowValue measure_row(const at::Tensor& sinogram, double near, const ConjugateRaysParams& p) {
  const Fan fan(sinogram, p.fan_per_column, sinogram.size(0) / 2 + 1);
  const double at = refine(fan, near, 2 * ray_step, p.search.cancel);
  if (!fan.sees(at - ray_step) || !fan.sees(at + ray_step)) return {at, 0};
  return {at, jackknife(fan, at, shared_slope_variance(sinogram, at, p.fan_per_column))};
}

}  // namespace

AxisResult axis_conjugate_rays(const at::Tensor& projections, const std::vector<double>& angles,
                               const ConjugateRaysParams& params) {
  TL_CHECK(params.fan_per_column >= 0 && std::isfinite(params.fan_per_column), "a fan angle per column");
  AxisSinograms sinograms = prepare_sinograms(projections, angles, Background::keep);
  const AxisRange range = axis_range(params.search, sinograms.cols());
  const at::Tensor turn = cut_full_turn(sinograms);
  AxisResult result;
  if (!sinograms.any_contrast()) {
    result.explanation = verdict_sentence({}, result);
    return result;
  }
  std::vector<int64_t> rows;
  for (int64_t r = 0; r < sinograms.rows(); ++r)
    if (sinograms.contrast[static_cast<std::size_t>(r)]) rows.push_back(r);
  // Rows this close to the source plane are nearly equal: their mean is one sinogram with less noise.
  const at::Tensor mean = turn.index_select(0, at::tensor(rows, at::kLong)).mean(0);
  Coarse curve = coarse_curve(mean, range, params);
  const ScoreCurveResult found =
      judge_score_curve(curve.axis, curve.score, params.search.rival_share, curve.difference);
  result.axis = curve.axis[found.best];
  result.curve_axis = std::move(curve.axis);
  result.curve_score = std::move(curve.score);
  result.verdict = found.verdict;
  if (found.verdict == AxisVerdict::resolved || found.verdict == AxisVerdict::ambiguous) {
    const Fan fan(mean, params.fan_per_column, mean.size(0) / 2 + 1);
    const double step = result.curve_axis[1] - result.curve_axis[0];
    const double near = refine(fan, result.axis, std::max(step, 2 * ray_step), params.search.cancel);
    std::vector<RowValue> values;
    for (const int64_t r : rows) values.push_back(measure_row(turn[r], near, params));
    const RowValue value = combine_rows(values);
    result.axis = value.axis;
    result.uncertainty = std::hypot(value.sigma, ray_sampling_sigma);
  }
  result.explanation = "Opposite rays of the full turn agree best there; uncertainty from the scatter of " +
                       std::string(rows.size() > 2 ? "blocks of views and rows. " : "blocks of views. ") +
                       verdict_sentence(found, result);
  if (result.verdict == AxisVerdict::resolved &&
      static_cast<double>(sinograms.cols()) - 2 * std::abs(result.axis) < fewest_shared) {
    result.verdict = AxisVerdict::ambiguous;
    result.explanation += " Not resolved: opposite rays share fewer than 12 columns.";
  }
  if (result.verdict == AxisVerdict::resolved && params.fan_per_column > 0 &&
      params.search.checking == AxisChecking::on) {
    if (const auto better = better_outside(mean, range, result.curve_score[found.best], params)) {
      result.verdict = AxisVerdict::railed;
      result.explanation +=
          " Opposite rays agree better at " + two_decimals(*better) + " px, outside the search range: widen it.";
    }
  }
  for (const std::string& note : sinograms.notes) result.explanation += " " + note;
  if (params.fan_per_column > 0 && params.search.checking == AxisChecking::on) widen_ambiguous(result);
  if (params.fan_per_column == 0)
    finish_axis(result, {projections, angles, range, params.search.checking, params.search.cancel},
                AxisAssumption::nothing);
  return result;
}

double axis_shift_by_opposite_rays(const at::Tensor& projections, const std::vector<double>& angles, double axis,
                                   double fan_per_column) {
  constexpr double least = 0.01, spacing = 0.02;  // fraction of the width
  AxisSinograms sinograms = prepare_sinograms(projections, angles, Background::keep);
  const auto w = static_cast<double>(sinograms.cols());
  if (!sinograms.any_contrast() || std::abs(axis) > 0.4 * w) return 0;
  const CoarseFan fan(cut_full_turn(sinograms).mean(0), fan_per_column);
  std::vector<double> at, score;
  for (int i = -2; i <= 2; ++i) {
    at.push_back(axis + 0.5 * i * spacing * w);
    score.push_back(fan.score(at.back()));
  }
  const double pulled = std::abs(parabola_minimum(at, score) - axis);
  return pulled > least * w ? pulled : 0;
}

}  // namespace tl::ops
