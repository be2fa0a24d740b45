// Noise of a scan, estimated from its pixels: independent noise, and noise common to all views of a pixel.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::ops {

// Level of the independent noise of x (views first, columns last) under the model variance = level^2 shape, with
// `shape` of x's size and > 0 (e^p for the absorption p of counted photons). Estimated as 1.4826 times the median
// magnitude of differences of neighbours that cancel smooth structure: third differences along the columns and mixed
// ones along columns and views; the smaller estimate is returned. 0 for fewer than 8 columns.
double independent_noise_level(const at::Tensor& x, const at::Tensor& shape);

// Variance of the noise common to all views of a pixel (noise of flats and darks, which causes stripes): the excess
// variance of the mean over the views, given the variance of the independent noise [view, ..., col]. 0 for fewer than 8
// views.
double shared_noise_variance(const at::Tensor& x, const at::Tensor& variance);

}  // namespace tl::ops
