// Finds the rotation axis by Fourier-wedge consistency: the objective is a trigonometric sum, whose global minimum and
// uncertainty are computed here.
#include "gpu/axis/wedge.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/sinogram.h"
#include "gpu/correction/scan_noise.h"
#include "gpu/operator/reduce.h"

namespace tl::ops {
namespace {

constexpr double wedge_curve_step = 0.25;  // [px]; the objective has at most one period per px
constexpr int64_t guard_modes = 2;         // angular modes next to the wedge that still contain signal of the object

int64_t fast_length(int64_t n) {
  for (;; ++n) {
    int64_t rest = n;
    for (const int64_t p : {2, 3, 5, 7})
      while (rest % p == 0) rest /= p;
    if (rest == 1 && n % 2 == 0) return n;
  }
}

// Data of one sinogram [view, col] for the objective: score(a) = (energy + Re sum_f G e^{4 pi i f a}) / energy.
struct Spectrum {
  at::Tensor frequency;        // [f] cycles per px, padded rows
  at::Tensor centring;         // [1, f] phase that moves the origin to the middle of the row
  at::Tensor weight;           // [m, f] (-1)^m outside the wedge, 0 inside
  at::Tensor modes, mirrored;  // [m, f] X(f, m) and X(f, -m)
  at::Tensor coefficients;     // [f] G
  at::Tensor energy;           // 0-dim
  int64_t padded = 0;
};

Spectrum spectrum(const at::Tensor& sinogram, double radius) {
  const int64_t n = sinogram.size(0), w = sinogram.size(1);
  Spectrum s;
  s.padded = fast_length(2 * w);
  s.frequency = at::arange(s.padded / 2 + 1, at::kDouble) / static_cast<double>(s.padded);
  const at::Tensor m = at::fft_fftfreq(2 * n, 1.0 / static_cast<double>(2 * n), at::kDouble).round().unsqueeze(1);
  const at::Tensor edge = pi * radius * static_cast<double>(w) * s.frequency + guard_modes;
  const at::Tensor outside = m.abs().gt(edge.unsqueeze(0)).logical_and(s.frequency.gt(0).unsqueeze(0));
  s.weight = outside.to(at::kDouble) * (1 - 2 * m.remainder(2));
  const at::Tensor phase = (pi * static_cast<double>(w - 1)) * s.frequency;
  s.centring = at::polar(at::ones_like(phase), phase).unsqueeze(0);
  s.modes = at::fft_fft(at::fft_rfft(sinogram, s.padded, 1) * s.centring, 2 * n, 0);
  s.mirrored = at::roll(at::flip(s.modes, {0}), 1, 0);
  s.coefficients = 2 * (s.weight * s.modes * s.mirrored).sum(0);
  s.energy = 2 * (s.weight.abs() * at::real(s.modes * s.modes.conj())).sum();
  return s;
}

// The objective summed over rows and half turns.
struct Objective {
  at::Tensor frequency, coefficients;
  double energy = 0;

  void add(const Spectrum& s) {
    frequency = s.frequency;
    coefficients = coefficients.defined() ? coefficients + s.coefficients : s.coefficients;
    energy += s.energy.item<double>();
  }
  // Score and its first two derivatives.
  [[nodiscard]] std::array<double, 3> at(double a) const {
    const at::Tensor phase = 4 * pi * a * frequency, k = 4 * pi * frequency;
    const at::Tensor term = coefficients * at::polar(at::ones_like(phase), phase);
    const at::Tensor real = at::real(term), imaginary = at::imag(term);
    return {1 + real.sum().item<double>() / energy, -(k * imaginary).sum().item<double>() / energy,
            -(k * k * real).sum().item<double>() / energy};
  }
  [[nodiscard]] std::vector<double> scores(const std::vector<double>& axis) const {
    const at::Tensor phase = at::outer(at::tensor(axis, at::kDouble), 4 * pi * frequency);
    const at::Tensor sum =
        at::mv(at::cos(phase), at::real(coefficients)) - at::mv(at::sin(phase), at::imag(coefficients));
    const at::Tensor score = (1 + sum / energy).contiguous();
    return {score.data_ptr<double>(), score.data_ptr<double>() + score.numel()};
  }
  // Newton's method within a shrinking bracket around a minimum of the curve.
  [[nodiscard]] double minimum(double low, double high) const {
    double a = 0.5 * (low + high);
    for (int i = 0; i < 60 && high - low > 1e-9; ++i) {
      const auto [value, slope, curvature] = at(a);
      (slope > 0 ? high : low) = a;
      const double step = curvature > 0 ? a - slope / curvature : low - 1;
      if (std::abs(step - a) < 1e-10) return step;
      a = step > low && step < high ? step : 0.5 * (low + high);
    }
    return a;
  }
};

// Derivative of the (not normalized) slope at `a` with respect to the sinogram [view, col] before background
// subtraction.
at::Tensor slope_gradient(const Spectrum& s, double a, int64_t views, int64_t cols) {
  const at::Tensor phase = 4 * pi * a * s.frequency;
  const at::Tensor turn =
      at::complex(at::zeros_like(phase), 4 * pi * s.frequency) * at::polar(at::ones_like(phase), phase);
  const at::Tensor pull = 4 * (s.weight * s.mirrored) * turn.unsqueeze(0) * s.centring;
  const at::Tensor to_views = at::fft_fft(pull, 2 * views, 0).slice(0, 0, views);
  return background_adjoint(at::real(at::fft_fft(to_views, s.padded, 1)).slice(1, 0, cols).contiguous());
}

// Energy outside the wedge, in both terms, due to noise of variance 1 in every pixel, after background subtraction.
double energy_of_noise(const Spectrum& s, int64_t views, int64_t cols) {
  const int64_t edge = background_edge(cols);
  at::Tensor sides = at::zeros({1, 2 * edge, cols}, at::kDouble);
  for (int64_t i = 0; i < edge; ++i) sides[0][i][i] = sides[0][edge + i][cols - edge + i] = 1;
  const at::Tensor left = at::fft_rfft(without_background(sides, Background::per_view)[0], s.padded, 1);
  // A pixel between the edges is not changed: it has a flat spectrum of 1.
  const at::Tensor power = at::real(left * left.conj()).sum(0) + static_cast<double>(cols - 2 * edge);
  return 2 * static_cast<double>(views) * (s.weight.abs().sum(0) * power).sum().item<double>();
}

// One sigma [px] due to aliasing: frequencies beyond Nyquist's fold back and are mirrored about another axis. Edges
// sharper than a pixel have amplitudes that fall as f^-1.5, so that the amplitude at 1 - f appears as (f / (1 - f))^1.5
// of that at f, with unknown phase.
double folded(const Objective& all, double a) {
  const at::Tensor k = 4 * pi * all.frequency, phase = k * a;
  const at::Tensor object = -at::real(all.coefficients * at::polar(at::ones_like(phase), phase));
  const at::Tensor share = (all.frequency / (1 - all.frequency)).pow(1.5);
  const double curvature = (k * k * object).sum().item<double>();
  return curvature > 0 ? std::abs((k * object * share).sum().item<double>()) / curvature * std::sqrt(0.5) : 0;
}

}  // namespace

at::Tensor wedge_objective(const at::Tensor& half_turn, const at::Tensor& axis, double radius) {
  TL_CHECK(half_turn.dim() == 3, "the wedge objective takes [row, view, col]");
  TL_CHECK(axis.dim() == 0 || (axis.dim() == 1 && axis.size(0) == half_turn.size(0)), "one axis, or one per row");
  at::Tensor sum, energy;
  for (int64_t r = 0; r < half_turn.size(0); ++r) {
    const Spectrum s = spectrum(half_turn[r].to(at::kDouble), radius);
    const at::Tensor phase = 4 * pi * (axis.dim() == 0 ? axis : axis[r]) * s.frequency;
    const at::Tensor turned = s.weight * s.modes * s.mirrored * at::polar(at::ones_like(phase), phase).unsqueeze(0);
    // Summed in a fixed order, so that a loss does not depend on the number of threads.
    const at::Tensor own = 2 * differentiable_sum(s.weight.abs() * at::real(s.modes * s.modes.conj()));
    const at::Tensor real = 2 * differentiable_sum(at::real(turned)) + own;
    sum = r == 0 ? real : sum + real;
    energy = r == 0 ? own : energy + own;
  }
  return sum / energy;
}

at::Tensor wedge_consistency(const at::Tensor& projections, const std::vector<double>& angles, const at::Tensor& axis,
                             double radius, const std::vector<bool>& counted) {
  AxisSinograms sinograms = prepare_sinograms(projections, angles, Background::per_view);
  const std::vector<bool>& counts = counted.empty() ? sinograms.contrast : counted;
  TL_CHECK(static_cast<int64_t>(counts.size()) == sinograms.rows(), "one word for every row");
  std::vector<int64_t> rows;
  for (int64_t r = 0; r < sinograms.rows(); ++r)
    if (counts[static_cast<std::size_t>(r)]) rows.push_back(r);
  if (rows.empty()) return at::scalar_tensor(1, at::kDouble) + 0 * axis.sum();
  const at::Tensor used = at::tensor(rows, at::kLong);
  const at::Tensor halves = at::cat(cut_half_turns(sinograms), 0);
  const int64_t all = sinograms.rows(), parts = halves.size(0) / all;
  std::vector<at::Tensor> data, axes;
  for (int64_t part = 0; part < parts; ++part) {
    data.push_back(halves.narrow(0, part * all, all).index_select(0, used));
    axes.push_back(axis.dim() == 0 ? axis.expand({used.size(0)}) : axis.index_select(0, used));
  }
  return wedge_objective(at::cat(data, 0), at::cat(axes, 0), radius);
}

std::vector<bool> rows_with_contrast(const at::Tensor& projections, const std::vector<double>& angles) {
  return prepare_sinograms(projections, angles, Background::keep).contrast;
}

namespace {

// One row: the minimum nearest to the common one, and its uncertainty due to noise of counted photons (variance grows
// as exp(absorption)) and of flats, which is common to all views. If more energy remains than noise explains (the
// object moved), the noise is scaled up accordingly.
RowValue refine_wedge_row(const std::vector<at::Tensor>& halves, int64_t row, double near, double radius) {
  Objective own;
  std::vector<Spectrum> parts;
  for (const at::Tensor& half : halves) {
    parts.push_back(spectrum(half[row], radius));
    own.add(parts.back());
  }
  const double a = own.minimum(near - 2, near + 2);
  const auto [score, slope, curvature] = own.at(a);
  if (!(curvature > 0)) return {a, 0};
  double independent = 0, expected = 0, shared = 0;
  at::Tensor along;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const at::Tensor sinogram = halves[i][row], shape = sinogram.clamp(-20, 20).exp();
    const int64_t views = sinogram.size(0), cols = sinogram.size(1);
    const double level = independent_noise_level(sinogram, shape), variance = level * level;
    const at::Tensor pull = slope_gradient(parts[i], a, views, cols);
    independent += variance * (pull.square() * shape).sum().item<double>();
    expected += variance * shape.mean().item<double>() * energy_of_noise(parts[i], views, cols);
    shared += shared_noise_variance(sinogram, variance * shape) / static_cast<double>(parts.size());
    along = i == 0 ? pull.sum(0) : along + pull.sum(0);
  }
  const double remains = std::max(score, 0.0) * own.energy;
  if (remains > expected && expected > 0) independent *= remains / expected;
  const double variance = independent + shared * along.square().sum().item<double>();
  return {a, std::sqrt(variance) / (curvature * own.energy)};
}

}  // namespace

AxisResult axis_wedge(const at::Tensor& projections, const std::vector<double>& angles, const WedgeParams& params) {
  if (!(params.radius > 0) || params.radius > 4)
    throw Failure(
        invalid("the radius must enclose the object: a share of half the width above 0, at most 4", "radius"));
  AxisSinograms sinograms = prepare_sinograms(projections, angles, Background::per_view);
  const AxisRange range = axis_range(params.search, sinograms.cols());
  AxisResult result;
  if (sinograms.any_contrast()) {
    const std::vector<at::Tensor> halves = cut_half_turns(sinograms);
    Objective all;
    for (int64_t r = 0; r < sinograms.rows(); ++r)
      for (const at::Tensor& half : halves) {
        params.search.cancel.check();
        if (sinograms.contrast[static_cast<std::size_t>(r)]) all.add(spectrum(half[r], params.radius));
      }
    if (!(all.energy > 0))
      throw Failure(invalid("too few views for the wedge of an object this wide", "projections",
                            "Use more views, or Vo's method"));
    const int64_t count = std::max<int64_t>(3, std::llround((range.high - range.low) / wedge_curve_step) + 1);
    for (int64_t i = 0; i < count; ++i)
      result.curve_axis.push_back(range.low +
                                  (range.high - range.low) * static_cast<double>(i) / static_cast<double>(count - 1));
    result.curve_score = all.scores(result.curve_axis);
    const ScoreCurveResult found = judge_score_curve(result.curve_axis, result.curve_score, params.search.rival_share);
    result.axis = result.curve_axis[found.best];
    result.verdict = found.verdict;
    if (result.verdict == AxisVerdict::resolved || result.verdict == AxisVerdict::ambiguous) {
      const double near = all.minimum(result.axis - wedge_curve_step, result.axis + wedge_curve_step);
      std::vector<RowValue> rows;
      for (int64_t r = 0; r < sinograms.rows(); ++r) {
        params.search.cancel.check();
        if (sinograms.contrast[static_cast<std::size_t>(r)])
          rows.push_back(refine_wedge_row(halves, r, near, params.radius));
      }
      const RowValue value = combine_rows(rows);
      result.axis = value.axis;
      result.uncertainty = std::hypot(value.sigma, folded(all, value.axis));
    }
    result.explanation = "Least energy outside the Fourier wedge; uncertainty from noise, " +
                         std::string(sinograms.rows() > 2 ? "the scatter of the rows " : "") +
                         "and edges sharper than a pixel. " + verdict_sentence(found, result);
  } else {
    result.explanation = verdict_sentence({}, result);
  }
  for (const std::string& note : sinograms.notes) result.explanation += " " + note;
  finish_axis(result, {projections, angles, range, params.search.checking, params.search.cancel}, AxisAssumption::air);
  return result;
}

}  // namespace tl::ops
