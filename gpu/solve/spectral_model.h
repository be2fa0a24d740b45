// Absorption of a polychromatic beam in an object of several materials, and its derivatives.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"

namespace tl::solve {

// Memory of polychromatic_absorption(): some rays are processed at a time, with about three arrays of at most so many
// numbers in addition to inputs and output.
inline constexpr int64_t exponents_at_once = int64_t{1} << 22;

// -ln( sum_e w_e exp(-sum_m mu_me L_m) / sum_e w_e ). lengths L [material, ...] [mm], attenuation mu [material, energy]
// [1/mm], weight w [energy], of any scale; float32 or float64 on one device. The result has the shape of one material's
// lengths. Gradients go to all three. Throws Failure (invalid) for shapes.
at::Tensor polychromatic_absorption(const at::Tensor& lengths, const at::Tensor& attenuation, const at::Tensor& weight);

// A spectrum of few energy bins and the attenuation of each material in each of them, all 0 or more.
struct SpectralModel {
  int64_t materials = 0, bins = 0;
  std::vector<double> attenuation;  // [material, bin], 1/mm
  std::vector<double> weight;       // [bin], sum 1

  [[nodiscard]] double at(int64_t material, int64_t bin) const {
    return attenuation[static_cast<std::size_t>(material * bins + bin)];
  }
  // Bins in descending order of the attenuation of the last material, so that equal models look equal.
  void sort_bins();
};

// Start of a fit: bins whose attenuations are `mean` [1/mm] times factors from 1/5 to 5, of equal weight.
SpectralModel starting_model(const std::vector<double>& mean, int64_t bins);

// The absorption on the CPU in double, [ray]; lengths [material, ray] float64.
at::Tensor model_absorption(const SpectralModel& model, const at::Tensor& lengths, const CancelToken& cancel = {});

// Views of an object that is cut into classes by thresholds: material m lies between threshold m and m + 1.
struct StepViews {
  at::Tensor steps;   // [threshold, ray] float64: lengths [mm] of rays within values above each threshold
  at::Tensor slopes;  // [threshold, ray]: derivatives with respect to the thresholds; undefined if not requested
};
// [material, ray] from steps [threshold, ray].
at::Tensor lengths_of(const at::Tensor& steps);

// Mean square of model minus measured, and its Gauss-Newton equations: H = mean of J^T J, g = mean of J^T residual. The
// unknowns are attenuations [material, bin], then weights, then thresholds if slopes are given.
struct NormalEquations {
  double loss = 0;
  int64_t unknowns = 0;
  std::vector<double> matrix, gradient;
};
// Rays with a non-finite measured value are ignored. Sums over fixed blocks of rays, in order: equal bits for any
// number of threads.
double model_loss(const SpectralModel& model, const at::Tensor& lengths, const at::Tensor& measured,
                  const CancelToken& cancel = {});
NormalEquations normal_equations(const SpectralModel& model, const StepViews& views, const at::Tensor& measured,
                                 const CancelToken& cancel = {});

}  // namespace tl::solve
