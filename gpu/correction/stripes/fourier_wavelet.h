// Stripe removal by combined wavelet and Fourier filtering (Munch).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

struct FourierWaveletSpec {
  int64_t levels = 6;   // stripes up to about 2^levels columns wide are removed, 1 to 12
  int64_t moments = 5;  // vanishing moments of the Daubechies wavelet, 1 to 10 ("db5")
  double sigma = 2;     // [cycles per scan] how slowly along the views something must change to be a stripe; 0 = off
  CancelToken cancel;   // looked at between rows
};

// B. Munch, P. Trtik, F. Marone, M. Stampanoni, Opt. Express 17, 8567 (2009), for each detector row of
// [view, row, col]: wavelet decomposition (mirrored at all edges); in each level the coefficients that are fine across
// the columns and coarse along the views are multiplied by 1 - exp(-f^2 / (2 sigma^2)), f in cycles per scan along the
// views; and back. What is taken away is computed, so that a constant sinogram comes back bit-identical. Linear;
// float32 or float64, differentiable. NaN spread. Errors: invalid for shapes and settings.
Result<at::Tensor> stripe_fourier_wavelet(const at::Tensor& projections, const FourierWaveletSpec& spec);

// The map of one sinogram [view, col].
Result<OperatorPtr> make_fourier_wavelet(int64_t views, int64_t cols, const FourierWaveletSpec& spec);

// A number of levels that suits a detector: stripes up to a 32nd of its columns.
int64_t default_wavelet_levels(int64_t cols);

}  // namespace tl::ops
