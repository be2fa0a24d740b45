// Entropy of an image's grey values from a soft histogram, which is a smooth function of every value.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace tl::ops {

struct EntropyParams {
  int64_t bins = 64;                // at least 4
  std::optional<double> low, high;  // ends of the histogram; nullopt: mean -+ 4 standard deviations
};

// Fractions of the values in bins around `bins` equidistant grey values from low to high (0-dim tensors, low < high).
// Every value is distributed over the four nearest bins with the weights of a cubic B-spline, so that the histogram has
// two continuous derivatives (P. Thevenaz, M. Unser, IEEE Trans. Image Processing 9, 2000). Values beyond the ends
// count at the ends. [bins + 3] float64: one additional bin below and two above.
at::Tensor soft_histogram(const at::Tensor& x, const at::Tensor& low, const at::Tensor& high, int64_t bins);

// - sum p log2 p of the soft histogram, in bits; 0 for a constant image. Differentiable with respect to x, including
// through the automatic range. Sums in a fixed order.
at::Tensor entropy(const at::Tensor& x, const EntropyParams& params);

}  // namespace tl::ops
