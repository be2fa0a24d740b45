// Which columns of a detector stand out: Vo's detection on one number per column.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

// How a stripe changes its column. gain: it is multiplied by something (counts, transmission). offset: something is
// added (absorption and thickness, where a gain g becomes -ln g).
enum class StripeModel { gain, offset };

struct StripeDetection {
  double snr = 3;    // larger: only stronger stripes are found
  double least = 0;  // deviations from the fitted line up to this are never a stripe
};

// Algorithm 4 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018): the values are sorted, a line is fitted to
// the middle half of them, and its rise over all columns is the noise. Where the largest (smallest) value lies `snr`
// times the noise beyond the line's end, every value more than snr / 2 times the noise beyond that end is a stripe.
// Values that are not finite are stripes. Fewer than 8 columns: none. One entry per value: 1 = stripe.
std::vector<uint8_t> detect_stripes(const std::vector<double>& values, const StripeDetection& detection);

// The marked columns and their direct neighbours.
std::vector<uint8_t> widened(const std::vector<uint8_t>& marked);

// The order of numbers, with NaN after all others.
bool nan_last(double a, double b);

// Median over `size` (odd) neighbouring values, mirrored at the ends; NaN is the largest value.
std::vector<double> median_filtered(const std::vector<double>& values, int64_t size);

}  // namespace tl::ops
