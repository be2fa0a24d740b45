// Finds the rotation axis from opposite views: coarse search, joint fit of axis and angles, and calibration of the
// uncertainty inside the scan.
#include "gpu/axis/opposite.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "gpu/axis/agreement.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/opposite_pairs.h"

namespace tl::ops {
namespace {

constexpr double signal_correlation = 0.85;  // smallest correlation for using a smoothing other than the clearest one
constexpr double worst_residual = 10;        // relative to the residual explained by noise and sampling
constexpr double sampling_sigma = 0.02;      // [px] due to the pixel sampling
constexpr int64_t fewest_positions = 8;      // least number of positions inside the scan for a calibration
constexpr double seam_sigma = 0.03;          // [px] of half a turn: few pairs, extrapolated
constexpr double feature_columns = 32, feature_views = 8;  // correlation length of unexplained differences
constexpr double clear_angles = 4.5;                       // significance in sigmas at which the angles count as wrong
constexpr double usual_range_error = 2 * pi / 180;         // [rad] one sigma, prior
constexpr double large_range_error = 1.5 * pi / 180, large_disagreement = 0.2;  // [rad], [px]

// Columns common to both views for a given axis, without the margins of the filter.
Range shared_columns(int64_t w, double axis, double blur) {
  const auto margin = static_cast<double>(margin_of(blur)), width = static_cast<double>(w);
  const double from = std::max(margin, std::ceil(2 * axis + margin));
  const double to = std::min(width - margin, std::floor(width - 1 + 2 * axis - margin) + 1);
  return {static_cast<int64_t>(from), static_cast<int64_t>(to)};
}

struct Estimate {
  double axis = 0, sigma = 0, angle_sigma = 0, range_error = 0, range_sigma = 0, disagreement = 0, clear_of_noise = 0;
  double random = 0;    // part of sigma due to noise of the views [px]
  double residual = 0;  // relative to the 90th percentile inside half a turn, or to the explained residual
};

double mean_of_squares(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum / static_cast<double>(v.size());
}

// Robust scatter of values whose expectation is 0.
double scatter_about_zero(std::vector<double> v) {
  const double wide = std::sqrt(mean_of_squares(v)) / 1.5;
  for (double& x : v) x = std::abs(x);
  return std::max(1.4826 * median(v), wide);
}

// Pairs times rows.
double lines_of(const FilteredOppositePairs& f) { return static_cast<double>(f.right().size(0) * f.right().size(1)); }

// Variance of the axis due to differences that neither noise nor sampling explain (an axis that leans, an object that
// changes): they are correlated over many columns and views, and shift the fit as far as they do not average out.
// Arguments: mean squares of the difference and of the slope, and their numbers of views and columns.
double variance_by_unexplained(double difference, double slope, double views, double cols, double blur) {
  const double independent =
      std::max(1.0, cols / std::max(feature_columns, 4 * blur)) * std::max(1.0, views / feature_views);
  return 0.25 * std::max(difference, 0.0) / std::max(slope, 1e-300) / independent;
}

// Variance of the shift due to noise common to all views of a pixel: in neighbouring views inside the scan it cancels,
// but in the mirrored view it is at other columns.
double variance_by_stripes(const FilteredOppositePairs& f, double axis, const Range& shared, double variance) {
  if (!(variance > 0)) return 0;
  const at::Tensor slope = column_slope(0.5 * (f.right() + f.left(2 * axis))).slice(2, shared.begin, shared.end);
  const double information = slope.square().sum().item<double>();
  // The derivative of a Gaussian, the filter of the views.
  const auto reach = static_cast<int64_t>(std::ceil(4 * f.blur()));
  const at::Tensor x = at::arange(-reach, reach + 1, at::kDouble) / f.blur();
  const at::Tensor kernel = -x * at::exp(-0.5 * x.square()) / (std::sqrt(2 * pi) * f.blur() * f.blur());
  const at::Tensor pull = at::conv1d(slope.sum(0).unsqueeze(1), kernel.view({1, 1, -1}), {}, 1, 2 * reach);
  return 2 * variance * pull.square().sum().item<double>() / std::max(information * information, 1e-300);
}

// Half a turn: fits shift and range error to all pairs at the seam, calibrated by the same fit inside the scan.
std::optional<Estimate> fit_seam(const SmoothedAgreement& c, const FilteredOppositePairs& f,
                                 const OppositePairPlan& plan, double axis, double shared_noise) {
  PairFit fit;
  Range shared{0, 0};
  for (int round = 0; round < 8; ++round) {
    shared = shared_columns(f.cols(), axis, f.blur());
    if (shared.size() < 6) return {};
    fit = fit_pairs_together(f.right(), f.left(2 * axis), f.along(2 * axis), shared);
    if (!fit.determined) return {};
    const double step = std::clamp(-0.5 * fit.shift, -1.0, 1.0);
    axis += step;
    if (std::abs(step) < 1e-3) break;
  }
  const std::vector<PairFit> inside = fit_each_pair(f.inside_right(), f.inside_left(), f.inside_along(), shared);
  std::vector<double> shifts, turns, residuals;
  for (const PairFit& k : inside) {
    if (!k.determined) continue;
    shifts.push_back(k.shift / std::sqrt(k.shift_variance));
    turns.push_back(k.angle_offset / std::sqrt(k.angle_offset_variance));
    residuals.push_back(k.residual);
  }
  if (static_cast<int64_t>(residuals.size()) < fewest_positions) return {};
  const double usual = median(residuals);
  std::sort(residuals.begin(), residuals.end());
  const double high = residuals[residuals.size() * 9 / 10];
  // If the seam fits worse than the rest of the scan (stripes, a changing object), sigmas are increased.
  const double widened = std::sqrt(std::max(1.0, fit.residual / std::max(usual, 1e-300)));
  const double scale = widened * scatter_about_zero(shifts), turn_scale = widened * scatter_about_zero(turns);
  Estimate e;
  e.range_error = -fit.angle_offset * plan.step;
  e.range_sigma = turn_scale * std::sqrt(fit.angle_offset_variance) * plan.step;
  // Prior: angular ranges in files are right to about two degrees; it decides if the data cannot.
  const double range_variance = e.range_sigma * e.range_sigma;
  const bool off = std::abs(e.range_error) > clear_angles * e.range_sigma;
  const double trust = off ? 0 : range_variance / (range_variance + usual_range_error * usual_range_error);
  e.axis = axis - 0.5 * trust * fit.shift_alone;
  const double alone =
      0.25 * (scale * scale * fit.shift_variance_alone + variance_by_stripes(f, axis, shared, shared_noise));
  const double by_angles = std::max(0.0, 0.25 * scale * scale * fit.shift_variance - alone) * (1 - trust);
  const double samples = lines_of(f) * static_cast<double>(shared.size());
  const double unexplained = variance_by_unexplained(fit.residual - c.explained_near(axis) / lines_of(f),
                                                     1 / (fit.shift_variance_alone * samples), 1,
                                                     static_cast<double>(shared.size()), f.blur());
  // Angles that count as wrong may be right, and the effect due to another cause (an axis that leans).
  const double doubted = off ? 0.0625 * fit.shift_alone * fit.shift_alone : 0;
  const double systematic = by_angles + unexplained + doubted + seam_sigma * seam_sigma;
  e.sigma = std::sqrt(alone + systematic);
  e.angle_sigma = std::sqrt(systematic);
  e.residual = fit.residual / std::max(high, 1e-300);
  return e;
}

// Weighted least-squares fit of 1, cos t, sin t to the shifts.
struct CircleFit {
  at::Tensor solution, inverse;
  std::vector<double> residuals;  // weighted
};
CircleFit fit_circle(const std::vector<PairFit>& fits, const std::vector<double>& angles) {
  std::vector<double> model, target;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const double weight = 1 / std::sqrt(fits[i].shift_variance_alone);
    model.insert(model.end(), {weight, weight * std::cos(angles[i]), weight * std::sin(angles[i])});
    target.push_back(weight * fits[i].shift_alone);
  }
  const at::Tensor a = at::tensor(model, at::kDouble).view({-1, 3}), y = at::tensor(target, at::kDouble);
  CircleFit c;
  c.inverse = at::linalg_pinv(at::mm(a.t(), a), 1e-10);
  c.solution = at::mv(c.inverse, at::mv(a.t(), y));
  const at::Tensor left = (y - at::mv(a, c.solution)).contiguous();
  c.residuals.assign(left.const_data_ptr<double>(), left.const_data_ptr<double>() + left.numel());
  return c;
}

// Stripes that all views share: the mean difference of all pairs should be noise only.
struct Stripes {
  double common = 0;  // mean square of the difference
  double sigma = 0;   // of the axis [px]
};
Stripes stripes_of(const FilteredOppositePairs& f, double axis, const Range& shared) {
  const at::Tensor right = f.right(), left = f.left(2 * axis);
  const at::Tensor difference = (right - left).slice(2, shared.begin, shared.end);
  const at::Tensor slope = column_slope(0.5 * (right + left)).slice(2, shared.begin, shared.end);
  const auto pairs = static_cast<double>(right.size(0));
  const double common = std::max(
      0.0, difference.mean(0).square().mean().item<double>() - difference.var(0, false).mean().item<double>() / pairs);
  const double information = slope.square().sum().item<double>();
  const double together = slope.sum(0).square().sum().item<double>();
  const double neighbours = 2 * std::sqrt(pi) * f.blur();  // number of columns that a smoothed stripe covers
  return {common, 0.5 * std::sqrt(common * together * neighbours) / std::max(information, 1e-300)};
}

// Half of the change of the shift [px] when the outermost common columns are left out: next to the ends of the rows the
// filter extends beyond the row, which shifts all pairs equally; their scatter does not reveal it.
double change_without_ends(const FilteredOppositePairs& f, const std::vector<double>& angles, double axis,
                           const Range& shared, double shift) {
  constexpr int64_t fewest = 4;  // columns
  const int64_t fewer = std::min(margin_of(f.blur()) / 2, (shared.size() - fewest) / 2);
  if (fewer < 1) return 0;
  const std::vector<PairFit> fits =
      fit_each_pair(f.right(), f.left(2 * axis), {}, {shared.begin + fewer, shared.end - fewer});
  for (const PairFit& fit : fits)
    if (!fit.determined) return 0;
  return 0.5 * (fit_circle(fits, angles).solution[0].item<double>() - shift);
}

// Full turn: fits the shifts of pairs everywhere.
std::optional<Estimate> fit_turn(const SmoothedAgreement& c, const FilteredOppositePairs& f,
                                 const OppositePairPlan& plan, double axis) {
  std::vector<PairFit> fits;
  CircleFit circle;
  Range shared{0, 0};
  for (int round = 0; round < 8; ++round) {
    shared = shared_columns(f.cols(), axis, f.blur());
    if (shared.size() < 4) return {};
    fits = fit_each_pair(f.right(), f.left(2 * axis), {}, shared);
    for (const PairFit& fit : fits)
      if (!fit.determined) return {};
    circle = fit_circle(fits, plan.angle);
    const double step = std::clamp(-0.5 * circle.solution[0].item<double>(), -1.0, 1.0);
    axis += step;
    if (std::abs(step) < 1e-3) break;
  }
  const auto count = static_cast<int64_t>(fits.size());
  double residual = 0;
  for (const PairFit& fit : fits) residual += fit.residual / static_cast<double>(count);
  // Errors of neighbouring pairs may be correlated: uses the larger of the scatter of eight blocks and that of all
  // pairs.
  const int64_t blocks = 8;
  double squares = 0;
  for (int64_t b = 0; b < blocks; ++b) {
    const int64_t from = b * count / blocks, to = (b + 1) * count / blocks;
    double sum = 0;
    for (int64_t i = from; i < to; ++i) sum += circle.residuals[static_cast<std::size_t>(i)];
    squares += sum * sum / static_cast<double>(std::max<int64_t>(to - from, 1));
  }
  const double all = mean_of_squares(circle.residuals) * static_cast<double>(count) / static_cast<double>(count - 3);
  const double scale = std::sqrt(std::max(squares / static_cast<double>(blocks - 3), all));
  Estimate e;
  e.axis = axis;
  const Stripes stripes = stripes_of(f, axis, shared);
  const double explained = std::max(c.explained_near(axis) / lines_of(f), 1e-300);
  residual = std::max(residual - stripes.common, 0.0);
  double information = 0;
  for (const PairFit& fit : fits) information += 1 / fit.shift_variance_alone;
  const double samples = lines_of(f) * static_cast<double>(shared.size());
  const double unexplained =
      variance_by_unexplained(residual - explained, information / samples, static_cast<double>(count),
                              static_cast<double>(shared.size()), f.blur());
  const double ends = change_without_ends(f, plan.angle, axis, shared, circle.solution[0].item<double>());
  const double systematic = unexplained + ends * ends;
  e.random = 0.5 * scale * std::sqrt(circle.inverse[0][0].item<double>());
  e.sigma = std::sqrt(e.random * e.random + stripes.sigma * stripes.sigma + systematic);
  e.angle_sigma = std::sqrt(systematic);
  e.residual = residual / explained;
  const at::Tensor wave = circle.solution.slice(0, 1, 3);
  e.disagreement = 0.5 * std::sqrt(wave.square().sum().item<double>());
  const at::Tensor weight = at::linalg_pinv(circle.inverse.slice(0, 1, 3).slice(1, 1, 3), 1e-10);
  e.clear_of_noise =
      std::sqrt(std::max(0.0, at::dot(wave, at::mv(weight, wave)).item<double>())) / std::max(scale, 1e-300);
  return e;
}

void judge(const Estimate& e, bool full, double blur, OppositeViews& out) {
  out.contradicted = true;
  const auto degrees = [](double value) { return formatted("%.1f", value * 180 / pi); };
  const double mismatch = *std::min_element(out.mismatch.begin(), out.mismatch.end());
  if (e.residual > worst_residual && mismatch > sampling_mismatch / (blur * blur)) {
    out.reason = "Opposite views disagree more than noise explains.";
  } else if (!full && std::abs(e.range_error) > std::max(clear_angles * e.range_sigma, large_range_error)) {
    out.reason = "The angles are not right: the views seem to cover " + degrees(e.range_error) + " +- " +
                 degrees(e.range_sigma) + " degrees more than they say.";
  } else if (full && e.clear_of_noise > clear_angles && e.disagreement > large_disagreement) {
    out.reason = "Opposite views disagree by up to " + formatted("%.2f", e.disagreement) +
                 " px as a moving object or wrong angles would have it.";
  } else {
    out.found = true;
    out.contradicted = false;
  }
}

}  // namespace

OppositeViews opposite_views(const AxisSinograms& s, const CancelToken& cancel) {
  OppositeViews out;
  std::vector<int64_t> rows;
  for (int64_t r = 0; r < s.rows(); ++r)
    if (s.contrast[static_cast<std::size_t>(r)]) rows.push_back(r);
  const std::optional<OppositePairPlan> plan = plan_opposite_pairs(s.angles, s.step);
  if (rows.empty() || !plan) {
    out.reason = rows.empty() ? "Nothing but noise in these rows."
                              : "No views are opposite, or too few views: opposite views cannot be compared.";
    return out;
  }
  const at::Tensor data = s.data.index_select(0, at::tensor(rows, at::kLong));
  const PixelNoise noise = pixel_noise(data);
  const OppositePairSpectra pairs(without_stripes(data), *plan);
  const double unit = std::max(1.0, std::round(static_cast<double>(s.cols()) / 512));
  std::vector<SmoothedAgreement> tried;
  for (const double blur : {1.0, 2.0, 4.0, 8.0}) {
    cancel.check();
    const FilteredOppositePairs filtered(pairs, unit * blur);
    SmoothedAgreement c{unit * blur, 0, agreement_of(filtered, expected_noise(filtered, *plan, noise))};
    if (c.agreement.axis.empty()) continue;
    c.significance = c.agreement.significance[c.agreement.best];
    tried.push_back(std::move(c));
  }
  if (tried.empty()) {
    out.reason = "The rows are too short.";
    return out;
  }
  const SmoothedAgreement& clearest = tried[choose_position(tried)];
  out.axis = clearest.agreement.axis[clearest.agreement.best];
  out.overlap = static_cast<double>(s.cols()) - 2 * std::abs(out.axis);
  out.significance = clearest.significance;
  out.candidates = clearest.agreement.axis;
  for (const double c : clearest.agreement.correlation) out.mismatch.push_back(1 - c);
  if (out.significance < clear_agreement) {
    out.reason = "Opposite views do not agree better anywhere than by chance: too few photons or columns in common.";
    return out;
  }
  if (const auto rival = rival_position(tried, clearest)) {
    out.rivalled = true;
    out.rival = *rival;
    out.reason = "Opposite views agree about as well at " + two_decimals(*rival) + " px as at " +
                 two_decimals(out.axis) + " px.";
    return out;
  }
  std::optional<Estimate> best;
  std::vector<Estimate> all;
  for (const SmoothedAgreement& c : tried) {
    cancel.check();
    if (&c != &clearest && c.correlation_near(out.axis) < signal_correlation) continue;
    const FilteredOppositePairs filtered(pairs, c.blur);
    const auto e =
        plan->full ? fit_turn(c, filtered, *plan, out.axis) : fit_seam(c, filtered, *plan, out.axis, noise.shared);
    if (!e || !(e->sigma > 0) || std::abs(e->axis - out.axis) > 2 + c.blur) continue;
    all.push_back(*e);
    if (!best || e->sigma < best->sigma) best = e;
  }
  if (!best) {
    out.reason = "Too few views, or too few columns in common, to say how well opposite views agree.";
    return out;
  }
  // The smoothing should not change the result. Over a full turn the results have common noise: they differ by the
  // noise that only one of them contains. (For half a turn, seam_sigma covers that.)
  double apart = 0;
  for (const Estimate& e : all) {
    if (e.sigma >= 3 * best->sigma) continue;
    const double by_noise = plan->full ? std::sqrt(std::abs(e.random * e.random - best->random * best->random))
                                       : std::hypot(e.sigma, best->sigma);
    apart = std::max(apart, std::abs(e.axis - best->axis) - 2 * by_noise);
  }
  out.axis = best->axis;
  out.overlap = static_cast<double>(s.cols()) - 2 * std::abs(out.axis);
  out.angle_sigma = best->angle_sigma;
  out.range_error = best->range_error;
  out.range_sigma = best->range_sigma;
  out.disagreement = best->disagreement;
  out.sigma = std::sqrt(best->sigma * best->sigma + sampling_sigma * sampling_sigma + std::max(0.0, apart) * apart +
                        0.01 * best->disagreement * best->disagreement);
  judge(*best, plan->full, clearest.blur, out);
  return out;
}

}  // namespace tl::ops
