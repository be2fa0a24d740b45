// Photon counting and electronic noise, the same numbers for any thread count and any way of cutting a scan.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "core/base/region.h"

namespace tl::ops {

// Which images the numbers belong to: series of one seed are independent of each other.
enum class NoiseSeries : uint32_t { projections = 0, flats = 1, darks = 2 };

// Where a tensor [view, row, col] lies in the whole series of detector images. Each pixel of the whole series owns a
// stream of Philox numbers, so a region, however read, carries the noise that the whole scan has there.
struct NoiseFrame {
  uint64_t seed = 0;
  NoiseSeries series = NoiseSeries::projections;
  ScanRegion region;           // what the tensor holds; sizes must match its shape
  int64_t rows = 1, cols = 1;  // of the whole detector
};

// Poisson numbers with the given means [photons], exact for every mean: inversion below 10, Hoermann's transformed
// rejection with squeeze above ("The transformed rejection method for generating Poisson random variables", Insurance:
// Mathematics and Economics 12, 1993). float32 or float64, as is what comes out, which is of the type of the means
// where no other is asked for; float32 holds counts up to 2^24 exactly. One view's means expanded to all views take no
// memory for each. NaN stays NaN; negative or infinite means are Failure{invalid}.
at::Tensor poisson_counts(const at::Tensor& means, const NoiseFrame& frame, std::optional<at::ScalarType> type = {});

// values + sigma * N(0, 1).
at::Tensor add_gaussian_noise(const at::Tensor& values, double sigma, const NoiseFrame& frame);

}  // namespace tl::ops
