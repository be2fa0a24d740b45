// Entropy of an image's grey values from a histogram that is smooth in every value.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace tl::ops {

struct EntropyParams {
  int64_t bins = 64;                // at least 4
  std::optional<double> low, high;  // ends of the histogram; nothing = mean -+ 4 standard deviations
};

// Shares of the values in bins around `bins` equidistant grey values from low to high (0-dim tensors, low < high):
// every value is spread over the four nearest ones with the weights of a cubic B-spline, so that the histogram has two
// continuous derivatives (P. Thevenaz, M. Unser, IEEE Trans. Image Processing 9, 2000). Values beyond the ends count at
// the ends. [bins + 3] float64, one more bin below and two above.
at::Tensor soft_histogram(const at::Tensor& x, const at::Tensor& low, const at::Tensor& high, int64_t bins);

// - sum p log2 p of the soft histogram, in bits; 0 for a constant. Differentiable with respect to x, in the automatic
// range too. Sums in a fixed order.
at::Tensor entropy(const at::Tensor& x, const EntropyParams& params);

}  // namespace tl::ops
