// Scores of an image relative to a reference: mean squared error, structural similarity, cross-entropy.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tl::ops {

// Both tensors must have the same shape and type, float32 or float64. Results are 0-dim float64, differentiable with
// respect to both, with sums in a fixed order.

// relative: divided by the mean square of the reference. scaled: between both after scaling each to mean 0 and mean
// square 1, which is 2 (1 - correlation); NaN if one of them is constant.
enum class ErrorScale { absolute, relative, scaled };
at::Tensor mean_squared_error(const at::Tensor& x, const at::Tensor& reference, ErrorScale scale);

// Sums over `bands` bands of equal width along each of the first three axes, [axis, band] float64.
at::Tensor sums_by_band(const at::Tensor& each, int64_t bands);

// How that error is distributed: the contributions of `bands` bands of equal width along each of the first three axes,
// [axis, band] float64; those of an axis add up to the error. Not differentiable.
at::Tensor squared_error_by_band(const at::Tensor& x, const at::Tensor& reference, ErrorScale scale, int64_t bands);

// The pixels whose mean square mean_squared_error() computes.
at::Tensor residual(const at::Tensor& x, const at::Tensor& reference, ErrorScale scale);

// 1 minus the mean structural similarity of the slices of [z, y, x], with Gaussian windows of sigma 1.5 voxels and 2
// radius + 1 voxels, K1 = 0.01, K2 = 0.03, and the range of the reference (Z. Wang et al., IEEE Trans. Image Processing
// 13, 2004). Only windows inside the slice count, which must be at least as large as a window.
at::Tensor structural_dissimilarity(const at::Tensor& x, const at::Tensor& reference, int64_t radius);

// Mean of -(t log p + (1 - t) log(1 - p)), t = target clamped to 0 ... 1. logits: p = 1 / (1 + exp(-x)); probability:
// p = x, clamped to 1e-4 ... 1 - 1e-4.
enum class ScoreMeaning { probability, logits };
at::Tensor cross_entropy(const at::Tensor& x, const at::Tensor& target, ScoreMeaning meaning);

// The contributions of bands to the cross entropy, like squared_error_by_band(). Not differentiable.
at::Tensor cross_entropy_by_band(const at::Tensor& x, const at::Tensor& target, ScoreMeaning meaning, int64_t bands);

}  // namespace tl::ops
