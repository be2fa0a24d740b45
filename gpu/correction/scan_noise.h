// Noise of a scan from its own pixels: what is independent, and what all views of a detector pixel share.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::ops {

// Standard deviation of the independent noise of x, views first and columns last, where its variance goes as `shape`
// (of x's size, above 0; of counted photons' absorption p: e^p): variance = level^2 shape. From differences of
// neighbours that leave smooth structure out, 1.4826 times their median size: along the columns, and mixed ones along
// columns and views, whichever is smaller. 0 for fewer than 8 columns.
double noise_level(const at::Tensor& x, const at::Tensor& shape);

// Variance of what all views of a pixel share beyond independent noise of the given variance [view, ..., col]: that of
// flats and darks, which makes stripes. It is what the mean over the views has too much of; 0 for fewer than 8 views.
double shared_variance(const at::Tensor& x, const at::Tensor& variance);

}  // namespace tl::ops
