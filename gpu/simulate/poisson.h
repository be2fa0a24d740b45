// Photon counting and electronic noise, identical for any number of threads and any division of a scan into parts.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "core/base/region.h"

namespace tl::ops {

// The images to which the noise belongs: series of one seed are independent of each other.
enum class NoiseSeries : uint32_t { projections = 0, flats = 1, darks = 2 };

// Position of a tensor [view, row, col] in the whole series of detector images. Each pixel of the series has its own
// stream of Philox numbers, so that any region has the same noise as in the whole scan.
struct NoiseFrame {
  uint64_t seed = 0;
  NoiseSeries series = NoiseSeries::projections;
  ScanRegion region;           // extent of the tensor; sizes must match its shape
  int64_t rows = 1, cols = 1;  // of the whole detector
};

// Poisson numbers with the given means [photons], exact for every mean: inversion below 10, Hoermann's transformed
// rejection with squeeze above ("The transformed rejection method for generating Poisson random variables", Insurance:
// Mathematics and Economics 12, 1993). Means are float32 or float64; the result has `type`, or that of the means if
// none is given; float32 holds counts up to 2^24 exactly. Means of one view expanded to all views are not copied per
// view. NaN stays NaN; negative or infinite means throw Failure{invalid}.
at::Tensor poisson_counts(const at::Tensor& means, const NoiseFrame& frame, std::optional<at::ScalarType> type = {});

// values + sigma * N(0, 1).
at::Tensor add_gaussian_noise(const at::Tensor& values, double sigma, const NoiseFrame& frame);

}  // namespace tl::ops
