// Finds the rotation axis from the centres of mass of the views, by a least-squares fit of a sinusoid.
#include "gpu/axis/moments.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/base/error.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/sinogram.h"
#include "gpu/correction/scan_noise.h"

namespace tl::ops {
namespace {

constexpr double clear_waves = 12;  // F from which the mass changes significantly with the angle

struct MomentFit {
  double axis, sigma, residual, mass_scatter;
  double curvature;  // sum of squares = residual part + curvature (a - axis)^2
  double count;
  // F statistic (two additional parameters) of a sinusoid that grows with the angle, and the shift of the axis that it
  // causes.
  double growth, growth_shift;
  double mass_waves;  // F of two waves per turn in the masses
};

// Variance of the centres due to the straight background, which is drawn through the noise of the edges.
double background_variance(const at::Tensor& sinogram, const at::Tensor& s, double mass, double centre) {
  const int64_t n = sinogram.size(0), w = sinogram.size(1), edge = background_edge(w);
  const at::Tensor sides = at::cat({sinogram.slice(1, 0, edge), sinogram.slice(1, w - edge, w)}, 1);
  const double level = sides.square().mean().item<double>() / static_cast<double>(edge * n);  // of one side's mean
  const double span = static_cast<double>(std::max<int64_t>(w - edge, 1));
  const double slope = s.square().sum().item<double>() / mass, offset = centre * static_cast<double>(w) / mass;
  return slope * slope * 2 * level / (span * span) + offset * offset * level / 2;
}

// Variance of the axis due to noise common to all views of a pixel, as from flats, which shifts all centres equally.
// `weights` [view]: weights of the centres in the axis.
double shared_noise(const at::Tensor& sinogram, const at::Tensor& s, const at::Tensor& mass, const at::Tensor& centre,
                    const at::Tensor& weights) {
  const at::Tensor shape = sinogram.clamp(-20, 20).exp();
  const double level = independent_noise_level(sinogram, shape);
  const double variance = shared_noise_variance(sinogram, level * level * shape);
  const at::Tensor pull = s * (weights / mass).sum() - (weights * centre / mass).sum();
  return variance * background_adjoint(pull.unsqueeze(0)).square().sum().item<double>();
}

// Fits 1, cos t and sin t to the centres [view].
MomentFit fit_row(const at::Tensor& sinogram, const at::Tensor& model, const at::Tensor& growing) {
  const int64_t n = sinogram.size(0), w = sinogram.size(1);
  const at::Tensor s = at::arange(w, at::kDouble) - 0.5 * static_cast<double>(w - 1);
  const at::Tensor mass = sinogram.sum(1);
  const at::Tensor centre = at::mv(sinogram, s) / mass;
  const at::Tensor normal = at::mm(model.t(), model);
  const at::Tensor inverse = at::linalg_pinv(normal, 1e-12);
  const at::Tensor solution = at::mv(inverse, at::mv(model.t(), centre));
  const double squares = (centre - at::mv(model, solution)).square().sum().item<double>();
  const double variance = squares / static_cast<double>(std::max<int64_t>(n - 3, 1));
  MomentFit f;
  f.axis = solution[0].item<double>();
  f.curvature = 1 / inverse[0][0].item<double>();
  f.sigma = std::sqrt(variance / f.curvature + background_variance(sinogram, s, mass.mean().item<double>(), f.axis) +
                      shared_noise(sinogram, s, mass, centre, at::mv(model, inverse[0])));
  f.residual = std::sqrt(squares / static_cast<double>(n));
  f.mass_scatter = std::sqrt(mass.var(false).item<double>()) / std::abs(mass.mean().item<double>());
  f.count = static_cast<double>(n);
  const auto spare_of = [n](int64_t used) { return static_cast<double>(std::max<int64_t>(n - used, 1)); };
  const at::Tensor wide = at::cat({model, growing}, 1);
  const at::Tensor free = at::mv(at::linalg_pinv(at::mm(wide.t(), wide), 1e-12), at::mv(wide.t(), centre));
  const double left = (centre - at::mv(wide, free)).square().sum().item<double>();
  f.growth = left > 0 ? 0.5 * std::max(0.0, squares - left) * spare_of(5) / left : 0;
  f.growth_shift = std::abs(free[0].item<double>() - f.axis);
  const at::Tensor c = model.select(1, 1), d = model.select(1, 2);
  const at::Tensor waves = at::cat({model, (c * c - d * d).unsqueeze(1), (c * d).unsqueeze(1)}, 1);
  const at::Tensor wave = at::mv(at::linalg_pinv(at::mm(waves.t(), waves), 1e-12), at::mv(waves.t(), mass));
  const double rest = (mass - at::mv(waves, wave)).square().sum().item<double>();
  const double change = (mass - mass.mean()).square().sum().item<double>();
  f.mass_waves = rest > 0 ? 0.25 * std::max(0.0, change - rest) * spare_of(5) / rest : 0;
  return f;
}

}  // namespace

MomentResult axis_moments(const at::Tensor& projections, const std::vector<double>& angles,
                          const MomentParams& params) {
  const AxisSinograms sinograms = prepare_sinograms(projections, angles, Background::per_row);
  const AxisRange range = axis_range(params.search, sinograms.cols());
  MomentResult moments;
  AxisResult& result = moments.found;
  if (!sinograms.any_contrast()) {
    result.explanation = verdict_sentence({}, result);
    return moments;
  }
  const at::Tensor t = at::tensor(sinograms.angles, at::kDouble);
  const at::Tensor model = at::stack({at::ones_like(t), t.cos(), t.sin()}, 1);
  const at::Tensor ahead = (t - t.mean()).unsqueeze(1);
  const at::Tensor growing = ahead * model.slice(1, 1, 3);
  std::vector<RowValue> rows;
  std::vector<double> residuals, masses, growths, growth_shifts, mass_waves;
  double squares = 0, curvature = 0, count = 0;
  for (int64_t r = 0; r < sinograms.rows(); ++r) {
    params.search.cancel.check();
    if (!sinograms.contrast[static_cast<std::size_t>(r)]) continue;
    const MomentFit f = fit_row(sinograms.data[r], model, growing);
    if (!std::isfinite(f.axis) || !std::isfinite(f.residual)) continue;
    rows.push_back({f.axis, f.sigma});
    residuals.push_back(f.residual);
    masses.push_back(f.mass_scatter);
    growths.push_back(f.growth);
    growth_shifts.push_back(f.growth_shift);
    mass_waves.push_back(f.mass_waves);
    squares += f.residual * f.residual * f.count;
    curvature += f.curvature;
    count += f.count;
  }
  if (rows.empty()) {
    result.explanation = "The sum of the rows is 0: no axis can be found.";
    return moments;
  }
  const RowValue value = combine_rows(rows);
  result.axis = value.axis;
  result.uncertainty = value.sigma;
  moments.residual = median(residuals);
  moments.growth = median(growths);
  moments.growth_shift = median(growth_shifts);
  if (params.search.checking == AxisChecking::on && moments.growth > possible_growth)
    result.uncertainty = std::hypot(result.uncertainty, moments.growth_shift);
  moments.mass_is_constant = median(mass_waves) < clear_waves;
  const int64_t points = 201;
  for (int64_t i = 0; i < points; ++i) {
    const double a = range.low + (range.high - range.low) * static_cast<double>(i) / static_cast<double>(points - 1);
    result.curve_axis.push_back(a);
    result.curve_score.push_back(std::sqrt((squares + curvature * (a - value.axis) * (a - value.axis)) / count));
  }
  result.verdict = AxisVerdict::resolved;
  result.explanation = "Centres of mass against a sinusoid, rms residual " + two_decimals(moments.residual) + " px. ";
  // Offset and sinusoid count as distinguishable if the offset keeps at least 1 % of its weight in an orthogonal fit.
  if (median(masses) > params.mass_tolerance || curvature < 0.01 * count) {
    result.verdict = AxisVerdict::ambiguous;
    result.explanation +=
        curvature < 0.01 * count
            ? "The angular range is too small to distinguish the axis from the object's position."
            : "The mass changes by " + two_decimals(100 * median(masses)) +
                  " % rms from view to view: the object leaves the field, or the background is uneven.";
  } else if (value.axis < range.low || value.axis > range.high) {
    result.verdict = AxisVerdict::railed;
    result.explanation += "The axis lies outside the search range: widen it.";
  } else {
    result.explanation += "One clear optimum.";
  }
  for (const std::string& note : sinograms.notes) result.explanation += " " + note;
  finish_axis(result, {projections, angles, range, params.search.checking, params.search.cancel}, AxisAssumption::air);
  return moments;
}

}  // namespace tl::ops
