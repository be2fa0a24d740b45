// The noise of measured data, pixel by pixel, from the data themselves.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/values/values.h"

namespace tl::learn {

// Variance of every number of a value, of its shape (undefined for values without noise: tables, scalars).
//
// Photons: of counts n it goes with n, of transmission t with t, of absorption p with e^p. The factor comes from
// differences of neighbours that leave smooth structure out, 1.4826 times their median size: along the columns, and
// mixed ones along columns and views, whichever is smaller. Thickness and volumes are taken as evenly noisy.
at::Tensor noise_variance(const Value& value);

// Variance of what all views of a detector pixel share beyond that: the noise of flats and darks, which makes stripes.
// From the excess variance of the mean over the views; 0 for values without views.
double stripe_variance(const Value& value, const at::Tensor& variance);

// One draw of both; the same for the same seed.
at::Tensor noise_sample(const at::Tensor& variance, double stripes, uint64_t seed, uint64_t stream);

// Both of several values, one entry for each.
struct Noise {
  std::vector<at::Tensor> variance;
  std::vector<double> stripes;
};
Noise estimate_noise(const std::vector<Value>& values);
std::vector<at::Tensor> draw_noise(const Noise& noise, uint64_t seed, uint64_t stream);
std::vector<at::Tensor> negated(std::vector<at::Tensor> drawn);

}  // namespace tl::learn
