// The noise of measured data, pixel by pixel, from the data themselves.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/values/values.h"

namespace tl::learn {

// Variance of every number of a value, in its shape (undefined for values without noise: tables, scalars).
//
// Photon noise: proportional to counts n, to transmission t, and for absorption p to e^p. The factor comes from
// differences of neighbours that remove smooth structure, as 1.4826 times their median: along the columns, and mixed
// ones along columns and views, whichever is smaller. Thickness and volumes are assumed to have uniform noise.
at::Tensor noise_variance(const Value& value);

// Additional variance that all views of a detector pixel have in common: the noise of flats and darks, which causes
// stripes. From the excess variance of the mean over the views; 0 for values without views.
double stripe_variance(const Value& value, const at::Tensor& variance);

// One random sample of both kinds of noise; equal for equal seeds.
at::Tensor noise_sample(const at::Tensor& variance, double stripes, uint64_t seed, uint64_t stream);

// Both variances for several values, one entry for each.
struct Noise {
  std::vector<at::Tensor> variance;
  std::vector<double> stripes;
};
Noise estimate_noise(const std::vector<Value>& values);
std::vector<at::Tensor> draw_noise(const Noise& noise, uint64_t seed, uint64_t stream);
std::vector<at::Tensor> negated(std::vector<at::Tensor> drawn);

}  // namespace tl::learn
