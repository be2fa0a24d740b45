// Fits a spectrum, the attenuations of materials and the thresholds between them to polychromatic views.
#pragma once

#include <functional>

#include "gpu/solve/spectral_model.h"

namespace tl::solve {

struct SpectralFitSpec {
  int64_t iterations = 60;  // upper limit; each makes one or more evaluations
  double settled = 1e-6;    // ends if `patience` iterations in a row lower the loss by at most this fraction:
  int64_t patience = 3;     // a strongly damped one may gain little although later ones gain more
  CancelToken cancel{};
  std::function<void(double loss)> evaluated{};  // called after every evaluation of the loss over all rays
};

// Result of a fit. An evaluation is one computation of the loss over all rays.
struct SpectralFit {
  SpectralModel model;
  std::vector<double> thresholds;
  double loss = 0;  // mean square of model minus measured
  int64_t evaluations = 0;
};

// Least squares of (attenuation, weight) for given lengths [material, ray] and measured absorption [ray], both
// float64, by the Levenberg-Marquardt method in the logarithms of the unknowns, which keeps them positive. The loss
// never grows; if bins cannot be distinguished, the result is one of the equally good models. Throws Failure for
// shapes; cancelled.
SpectralFit fit_spectrum(const at::Tensor& lengths, const at::Tensor& measured, const SpectralModel& start,
                         const SpectralFitSpec& spec = {});

// Thresholds are fitted together with them. `views` returns steps and slopes for given thresholds. Thresholds change by
// at most a fifth of the distance to their neighbours (and to `lowest`, for the first) in one iteration, so that they
// stay in order.
using StepsOfThresholds = std::function<StepViews(const std::vector<double>& thresholds)>;
SpectralFit fit_spectrum_and_thresholds(const StepsOfThresholds& views, const at::Tensor& measured,
                                        const SpectralModel& start, const std::vector<double>& thresholds,
                                        double lowest, const SpectralFitSpec& spec = {});

// The ascending thresholds out of `levels` with the smallest loss for a given model, and that loss. steps: [level, ray]
// float64. Two thresholds: all pairs are tried; more: they are changed one after the other until none can be improved.
// Each combination is one evaluation.
struct ThresholdSearch {
  std::vector<std::size_t> levels;  // indices
  double loss = 0;
  int64_t evaluations = 0;
};
ThresholdSearch search_thresholds(const at::Tensor& steps, const at::Tensor& measured, const SpectralModel& model,
                                  std::vector<std::size_t> start, const CancelToken& cancel = {});

}  // namespace tl::solve
