// Levenberg and Marquardt's method for spectra, attenuations and thresholds.
#include "gpu/solve/spectral_fit.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace tl::solve {
namespace {

constexpr double first_damping = 1e-3, min_damping = 1e-12, damping_down = 5, damping_up = 4;
constexpr int attempts = 14;        // attempts of one iteration, with increasing damping
constexpr double bound = 1e-12;     // of weights and attenuations [1/mm]: practically 0, but can grow again
constexpr double most = 1.5;        // largest change of a logarithm in one step
constexpr double min_share = 1e-9;  // relative to the largest derivative: smaller ones are rounding errors
constexpr double threshold_move = 0.2;

// The derivative of each unknown with respect to its step variable: the logarithm for attenuations and weights.
std::vector<double> factors_of(const SpectralFit& fit, bool moving) {
  std::vector<double> x = fit.model.attenuation;
  x.insert(x.end(), fit.model.weight.begin(), fit.model.weight.end());
  if (moving) x.insert(x.end(), fit.thresholds.size(), 1.0);
  return x;
}

// The damped Gauss-Newton step, in the logarithms of attenuations and weights, which keeps them positive, and directly
// in thresholds; empty if there is none.
std::vector<double> damped_step(const NormalEquations& e, const std::vector<double>& factor, double damping) {
  const int64_t n = e.unknowns;
  at::Tensor matrix = at::empty({n, n}, at::kDouble), right = at::empty({n}, at::kDouble);
  auto a = matrix.accessor<double, 2>();
  auto b = right.accessor<double, 1>();
  // In units of the square roots of the diagonal: the unknowns differ in their effect by many orders of magnitude.
  std::vector<double> scale(factor);
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    double& unit = scale[static_cast<std::size_t>(i)];
    unit *= std::sqrt(e.matrix[static_cast<std::size_t>(i * n + i)]);
    largest = std::max(largest, std::abs(unit));
  }
  if (!(largest > 0)) return {};
  for (double& unit : scale) unit = std::max(std::abs(unit), min_share * largest);
  const auto of = [&](int64_t i) { return factor[static_cast<std::size_t>(i)] / scale[static_cast<std::size_t>(i)]; };
  for (int64_t i = 0; i < n; ++i) {
    b[i] = -e.gradient[static_cast<std::size_t>(i)] * of(i);
    for (int64_t j = 0; j < n; ++j) a[i][j] = e.matrix[static_cast<std::size_t>(i * n + j)] * of(i) * of(j);
    a[i][i] += damping;
  }
  const auto [solution, info] = at::linalg_solve_ex(matrix, right);
  if (info.item<int>() != 0 || !solution.isfinite().all().item<bool>()) return {};
  std::vector<double> step;
  for (int64_t i = 0; i < n; ++i) step.push_back(solution[i].item<double>() / scale[static_cast<std::size_t>(i)]);
  return step;
}

struct Fitter {
  const StepsOfThresholds& views;
  const at::Tensor& measured;
  const SpectralFitSpec& spec;
  bool moving = false;
  double lowest = 0;

  void evaluated(SpectralFit& fit, double loss) const {
    ++fit.evaluations;
    if (spec.evaluated) spec.evaluated(loss);
  }

  // The fit after a step: within bounds, thresholds in order, weights of sum 1.
  [[nodiscard]] SpectralFit moved(const SpectralFit& from, const std::vector<double>& step) const {
    SpectralFit to = from;
    std::size_t i = 0;
    const auto moved_by = [&](double x) { return std::max(bound, x * std::exp(std::clamp(step[i++], -most, most))); };
    for (double& mu : to.model.attenuation) mu = moved_by(mu);
    double sum = 0;
    for (double& w : to.model.weight) sum += w = moved_by(w);
    for (double& w : to.model.weight) w /= sum;
    if (!moving) return to;
    const std::vector<double>& t = from.thresholds;
    for (std::size_t k = 0; k < t.size(); ++k, ++i) {
      const double below = t[k] - (k > 0 ? t[k - 1] : lowest);
      const double above = k + 1 < t.size() ? t[k + 1] - t[k] : below;
      to.thresholds[k] = t[k] + std::clamp(step[i], -threshold_move * below, threshold_move * above);
    }
    return to;
  }

  SpectralFit run(SpectralFit fit) const {
    StepViews at = views(fit.thresholds);
    NormalEquations e = normal_equations(fit.model, at, measured, spec.cancel);
    fit.loss = e.loss;
    evaluated(fit, fit.loss);
    double damping = first_damping;
    int64_t small = 0;
    for (int64_t n = 0; n < spec.iterations; ++n) {
      bool lower = false;
      const double before = fit.loss;
      for (int attempt = 0; attempt < attempts && !lower; ++attempt) {
        spec.cancel.check();
        const std::vector<double> step = damped_step(e, factors_of(fit, moving), damping);
        damping *= damping_up;
        if (step.empty()) continue;
        SpectralFit to = moved(fit, step);
        const StepViews tried = moving ? views(to.thresholds) : at;
        const double loss = model_loss(to.model, lengths_of(tried.steps), measured, spec.cancel);
        evaluated(fit, loss);
        if (!(loss < fit.loss)) continue;
        at = tried;
        to.evaluations = fit.evaluations;
        to.loss = loss;
        fit = std::move(to);
        lower = true;
        damping = std::max(min_damping, damping / (damping_up * damping_down));
      }
      small = before - fit.loss <= spec.settled * before ? small + 1 : 0;
      if (!lower || small >= spec.patience) break;
      e = normal_equations(fit.model, at, measured, spec.cancel);
    }
    return fit;
  }
};

}  // namespace

SpectralFit fit_spectrum(const at::Tensor& lengths, const at::Tensor& measured, const SpectralModel& start,
                         const SpectralFitSpec& spec) {
  // A step is the sum of the lengths of a material and all later ones.
  StepViews given;
  given.steps = lengths.flip(0).cumsum(0).flip(0).contiguous();
  const StepsOfThresholds views = [&](const std::vector<double>&) { return given; };
  SpectralFit fit;
  fit.model = start;
  return Fitter{views, measured, spec}.run(std::move(fit));
}

SpectralFit fit_spectrum_and_thresholds(const StepsOfThresholds& views, const at::Tensor& measured,
                                        const SpectralModel& start, const std::vector<double>& thresholds,
                                        double lowest, const SpectralFitSpec& spec) {
  SpectralFit fit;
  fit.model = start;
  fit.thresholds = thresholds;
  return Fitter{views, measured, spec, true, lowest}.run(std::move(fit));
}

}  // namespace tl::solve
