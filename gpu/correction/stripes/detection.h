// Vo's stripe detection: finds outlying columns of a detector, given one number per column.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

// Effect of a stripe on its column. gain: a factor (counts, transmission). offset: an added value (absorption and
// thickness, where a gain g becomes -ln g).
enum class StripeModel { gain, offset };

struct StripeDetection {
  double snr = 3;    // larger: finds only stronger stripes
  double least = 0;  // smaller deviations from the fitted line are never a stripe
};

// Algorithm 4 of Vo, Atwood and Drakopoulos, Opt. Express 26, 28396 (2018): the values are sorted, a line is fitted to
// the middle half of them, and its rise over all columns is the noise. If the largest (smallest) value is beyond the
// line's end by `snr` times the noise, every value beyond that end by more than snr / 2 times the noise is a stripe.
// Values that are not finite are stripes. Fewer than 8 columns: no stripes. One entry per value: 1 = stripe.
std::vector<uint8_t> detect_stripes(const std::vector<double>& values, const StripeDetection& detection);

// The marked columns and their direct neighbours.
std::vector<uint8_t> with_neighbour_columns(const std::vector<uint8_t>& marked);

// Ordering of numbers with NaN after all others.
bool nan_last(double a, double b);

// Median over `size` (odd) neighbouring values, mirrored at the ends; NaN is the largest value.
std::vector<double> median_filtered(const std::vector<double>& values, int64_t size);
// For several lists: up to eight of similar length take hardly longer than one.
std::vector<std::vector<double>> median_filtered(const std::vector<std::vector<double>>& lists, int64_t size);

}  // namespace tl::ops
