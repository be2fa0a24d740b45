// Runs iterative segmentation and projection, and the joint descent.
#include "gpu/solve/spectral_correction.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/error.h"
#include "gpu/segmentation/thresholds/thresholds.h"

namespace tl::solve {
namespace {

// Half the width of a soft edge, relative to the difference between the two classes: wide enough that voxels lie on it,
// narrow enough that noise does not; it decreases from step to step.
constexpr double first_softness = 0.03, min_softness = 0.01;
// As many as fit into the projector's vectors.
constexpr int64_t slices_together = 16;
// Smallest share of the views that a model must explain; otherwise there is no object.
constexpr double min_explained = 0.5;

// One run: the volume of the present step, and the projections of its parts above thresholds.
class SpectralRun {
 public:
  SpectralRun(const SpectralTask& task, const SpectralSpec& spec)
      : task_(task), spec_(spec), measured_(task.measured.to(at::kDouble).reshape(-1).contiguous()) {}

  SpectralCorrection run() {
    SpectralCorrection best = unchanged("");
    if (spec_.classes < 2) return unchanged("with one class, beam hardening cannot be distinguished from absorption");
    const double power = mean_square_of_measured();
    if (!(power > 0)) return unchanged("the views contain no absorption");
    volume_ = task_.reconstruct(task_.measured);
    SpectralFit fit;
    if (const std::string reason = start(fit); !reason.empty()) return unchanged(reason);
    double least = std::numeric_limits<double>::infinity();
    for (int64_t step = 1; step <= spec_.steps; ++step) {
      improve(fit, step);
      const at::Tensor lengths = lengths_of(hard_views(fit.thresholds).steps);
      if (step == 1 && fit.loss > (1 - min_explained) * power)
        return unchanged("the views do not look like views of an object of materials with sharp edges");
      const bool better = fit.loss < least;
      const bool settled = !better || least - fit.loss <= spec_.settled * least;
      if (better) {
        least = fit.loss;
        keep(best, fit, lengths);
      }
      best.evaluations = evaluations_;
      if (spec_.report) spec_.report({step, evaluations_, fit.loss, fit.thresholds});
      if (settled && step > 1) {
        best.converged = true;
        break;
      }
      if (step < spec_.steps) volume_ = task_.reconstruct(best.corrected);
    }
    best.model.sort_bins();
    return best;
  }

 private:
  [[nodiscard]] SpectralCorrection unchanged(const std::string& why) const {
    SpectralCorrection c;
    c.corrected = task_.measured;
    c.labels = at::zeros(task_.project->domain(), at::kInt);
    c.handed_back = why;
    return c;
  }

  [[nodiscard]] double mean_square_of_measured() const {
    const at::Tensor finite = measured_.masked_select(measured_.isfinite());
    return finite.numel() == 0 ? 0.0 : finite.square().mean().item<double>();
  }

  // The views [mask, ray] float64 of as many masks.
  at::Tensor projected(int64_t count, const std::function<at::Tensor(int64_t)>& mask) {
    at::Tensor views = at::empty({count, measured_.size(0)}, at::kDouble);
    const auto type = task_.measured.scalar_type();
    const int64_t together = task_.project_stack ? slices_together : 1;
    for (int64_t first = 0; first < count; first += together) {
      spec_.cancel.check();
      const int64_t n = std::min(together, count - first);
      if (!task_.project_stack) {
        views[first].copy_(task_.project->apply(mask(first).to(type).contiguous()).reshape(-1));
        continue;
      }
      std::vector<at::Tensor> slices;
      for (int64_t k = 0; k < n; ++k) slices.push_back(mask(first + k).to(type));
      OperatorPtr& stack = stacks_[n];
      if (!stack) stack = task_.project_stack(n);
      const at::Tensor stacked = stack->apply(at::cat(slices).contiguous());
      views.narrow(0, first, n).copy_(stacked.flip(1).transpose(0, 1).reshape({n, -1}));
    }
    return views;
  }

  [[nodiscard]] StepViews hard_views(const std::vector<double>& thresholds) {
    StepViews views;
    views.steps = projected(static_cast<int64_t>(thresholds.size()),
                            [&](int64_t k) { return volume_.gt(thresholds[static_cast<std::size_t>(k)]); });
    return views;
  }

  // Masks (1 + tanh((v - t) / width)) / 2, and their derivatives.
  [[nodiscard]] StepViews soft_views(const std::vector<double>& thresholds, const std::vector<double>& widths) {
    std::vector<at::Tensor> masks, slopes;
    for (std::size_t k = 0; k < thresholds.size(); ++k) {
      const at::Tensor edge = at::tanh((volume_ - thresholds[k]) / widths[k]);
      masks.push_back(0.5 * (1 + edge));
      slopes.push_back((edge.square() - 1) * (0.5 / widths[k]));
    }
    masks.insert(masks.end(), slopes.begin(), slopes.end());
    const auto count = static_cast<int64_t>(thresholds.size());
    const at::Tensor all = projected(2 * count, [&](int64_t k) { return masks[static_cast<std::size_t>(k)]; });
    return {all.narrow(0, 0, count).contiguous(), all.narrow(0, count, count).contiguous()};
  }

  // Mean of each class, including air; NaN for an empty class.
  [[nodiscard]] std::vector<double> means(const std::vector<double>& thresholds) const {
    std::vector<double> all;
    for (std::size_t c = 0; c <= thresholds.size(); ++c) {
      at::Tensor inside = c < thresholds.size() ? volume_.le(thresholds[c]) : at::ones_like(volume_, at::kBool);
      if (c > 0) inside = inside.logical_and(volume_.gt(thresholds[c - 1]));
      all.push_back(volume_.masked_select(inside).to(at::kDouble).mean().item<double>());
    }
    return all;
  }

  // Starts from Otsu's thresholds and fits the model that the means suggest; returns a reason if there is nothing to
  // fit.
  std::string start(SpectralFit& fit) {
    ops::GreyHistogram histogram;
    histogram.add(volume_);
    const auto otsu = ops::multi_otsu_thresholds(histogram, spec_.classes);
    if (!otsu.ok()) return "the reconstruction has fewer grey values than classes: " + otsu.error().what;
    fit.thresholds = otsu.value();
    const std::vector<double> mean = means(fit.thresholds);
    for (std::size_t m = 1; m < mean.size(); ++m)
      if (!(mean[m] > 0)) return "class " + std::to_string(m) + " of the reconstruction is empty or attenuates nothing";
    fit.model = starting_model({mean.begin() + 1, mean.end()}, spec_.bins);
    return "";
  }

  [[nodiscard]] SpectralFitSpec fit_spec() {
    SpectralFitSpec s;
    s.cancel = spec_.cancel;
    s.settled = 0.1 * spec_.settled;
    s.evaluated = [this](double loss) {
      ++evaluations_;
      if (spec_.evaluated) spec_.evaluated(evaluations_, loss);
    };
    return s;
  }

  void improve(SpectralFit& fit, int64_t step) {
    if (spec_.method == SpectralMethod::isp) {
      fit_model(fit);
      search(fit);
    } else {
      // Starts from a model that fits; its evaluations need no projection.
      if (step == 1) fit_model(fit);
      descend(fit, std::max(min_softness, first_softness * std::pow(0.5, static_cast<double>(step - 1))));
      fit_model(fit);
    }
  }

  // At the thresholds of `fit`, for masks of whole voxels.
  void fit_model(SpectralFit& fit) {
    const std::vector<double> thresholds = fit.thresholds;
    fit = fit_spectrum(lengths_of(hard_views(thresholds).steps), measured_, fit.model, fit_spec());
    fit.thresholds = thresholds;
  }

  void search(SpectralFit& fit) {
    const double low = volume_.min().item<double>(), high = volume_.max().item<double>();
    std::vector<double> levels;
    for (int64_t l = 0; l < spec_.levels; ++l)
      levels.push_back(low + (high - low) * (static_cast<double>(l) + 0.5) / static_cast<double>(spec_.levels));
    std::vector<std::size_t> chosen;
    for (const double t : fit.thresholds) {
      const auto above = std::lower_bound(levels.begin(), levels.end(), t) - levels.begin();
      const auto least = chosen.empty() ? 0 : static_cast<int64_t>(chosen.back()) + 1;
      chosen.push_back(static_cast<std::size_t>(std::clamp<int64_t>(above, least, spec_.levels - 1)));
    }
    const ThresholdSearch found =
        search_thresholds(hard_views(levels).steps, measured_, fit.model, chosen, spec_.cancel);
    evaluations_ += found.evaluations;
    if (spec_.evaluated) spec_.evaluated(evaluations_, std::min(found.loss, fit.loss));
    if (!(found.loss < fit.loss)) return;
    fit.loss = found.loss;
    for (std::size_t k = 0; k < fit.thresholds.size(); ++k) fit.thresholds[k] = levels[found.levels[k]];
  }

  void descend(SpectralFit& fit, double softness) {
    const std::vector<double> mean = means(fit.thresholds);
    std::vector<double> widths;
    for (std::size_t k = 0; k < fit.thresholds.size(); ++k) {
      const double apart = mean[k + 1] - mean[k];
      widths.push_back(softness * (apart > 0 ? apart : std::abs(fit.thresholds[k]) + 1e-12));
    }
    const StepsOfThresholds views = [&](const std::vector<double>& t) { return soft_views(t, widths); };
    const double lowest = std::isfinite(mean.front()) ? mean.front() : 0;
    // The next step continues with this model.
    SpectralFitSpec spec = fit_spec();
    spec.settled = spec_.settled;
    spec.patience = 1;
    fit = fit_spectrum_and_thresholds(views, measured_, fit.model, fit.thresholds, lowest, spec);
  }

  void keep(SpectralCorrection& best, const SpectralFit& fit, const at::Tensor& lengths) const {
    const CorrectedRays rays = correct_rays(measured_, lengths, fit.model, spec_.cancel);
    best.corrected = rays.absorption.to(task_.measured.scalar_type()).view(task_.measured.sizes());
    best.reference = rays.reference;
    best.model = fit.model;
    best.thresholds = fit.thresholds;
    best.loss = fit.loss;
    best.labels = at::zeros(volume_.sizes(), at::kInt);
    for (const double t : fit.thresholds) best.labels += volume_.gt(t).to(at::kInt);
  }

  const SpectralTask& task_;
  const SpectralSpec& spec_;
  at::Tensor measured_, volume_;
  std::map<int64_t, OperatorPtr> stacks_;
  int64_t evaluations_ = 0;
};

}  // namespace

std::vector<double> reference_attenuations(const at::Tensor& lengths, const at::Tensor& polychromatic) {
  const at::Tensor equations = at::matmul(lengths, lengths.t()), right = at::mv(lengths, polychromatic);
  const at::Tensor found = at::mv(at::linalg_pinv(equations, 1e-12), right);
  return {found.const_data_ptr<double>(), found.const_data_ptr<double>() + found.numel()};
}

CorrectedRays correct_rays(const at::Tensor& measured, const at::Tensor& lengths, const SpectralModel& model,
                           const CancelToken& cancel) {
  CorrectedRays out;
  const at::Tensor polychromatic = model_absorption(model, lengths, cancel);
  out.reference = reference_attenuations(lengths, polychromatic);
  const at::Tensor straight = at::mv(lengths.t(), at::tensor(out.reference, at::kDouble));
  out.absorption = measured + (straight - polychromatic);
  return out;
}

SpectralCorrection correct_spectral(const SpectralTask& task, const SpectralSpec& spec) {
  constexpr int64_t max_classes = 6, max_bins = 8, min_levels = 8, max_levels = 1024;
  if (spec.classes < 1 || spec.classes > max_classes || spec.bins < 1 || spec.bins > max_bins || spec.steps < 1 ||
      spec.levels < min_levels || spec.levels > max_levels)
    throw Failure(invalid("classes, bins, steps or levels are out of range", "spectral correction"));
  if (!task.measured.device().is_cpu() || task.measured.sizes().vec() != task.project->range())
    throw Failure(invalid("the views do not fit the projector", "spectral correction"));
  return SpectralRun(task, spec).run();
}

}  // namespace tl::solve
