// Stripe removal by combined wavelet and Fourier filtering (Munch).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

struct FourierWaveletSpec {
  int64_t levels = 6;   // removes stripes up to about 2^levels columns wide, 1 to 12
  int64_t moments = 5;  // vanishing moments of the Daubechies wavelet, 1 to 10 ("db5")
  double sigma = 2;     // [cycles per scan] slower changes along the views count as stripes; 0 = off
  CancelToken cancel;   // checked between rows
};

// B. Munch, P. Trtik, F. Marone, M. Stampanoni, Opt. Express 17, 8567 (2009), for each detector row of [view, row,
// col]: wavelet decomposition (mirrored at all edges); in each level the coefficients that are fine across the columns
// and coarse along the views are multiplied by 1 - exp(-f^2 / (2 sigma^2)), f in cycles per scan along the views; then
// the inverse transform. The implementation computes the removed part and subtracts it, so that a constant sinogram is
// returned bit-identical. Linear; float32 or float64, differentiable. NaN spread. Errors: invalid for shapes and
// settings.
Result<at::Tensor> remove_stripes_by_fourier_wavelet(const at::Tensor& projections, const FourierWaveletSpec& spec);

// The filter as a linear operator on one sinogram [view, col].
Result<OperatorPtr> make_fourier_wavelet(int64_t views, int64_t cols, const FourierWaveletSpec& spec);

// A suitable number of levels for a detector: stripes up to a 32nd of its columns.
int64_t default_wavelet_levels(int64_t cols);

}  // namespace tl::ops
