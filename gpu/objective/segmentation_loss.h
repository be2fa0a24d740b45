// Losses of soft segmentations: how far the probabilities of classes are from labels.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace tl::ops {

enum class SegmentationLoss {
  cross_entropy,  // mean of -log of the probability of the true class, weighted by class
  dice,           // 1 - mean over the classes that occur of 2 |p t| / (|p| + |t|)
  sum,            // of both
};

// From logarithms of probabilities [class, pixel] (float32 or float64) and true classes int64 [pixel], each from 0 to
// class - 1; `weights` [class], or none. Differentiable with respect to the probabilities; 0 without pixels. 0-dim, in
// their type.
at::Tensor segmentation_loss(SegmentationLoss loss, const at::Tensor& log_probabilities, const at::Tensor& truth,
                             const at::Tensor& weights = {});

// The contribution of each pixel to that loss, float64 [pixel]: they add up to it. For Dice, the sums of a class over
// all pixels are treated as constants. Not differentiable.
at::Tensor segmentation_loss_by_pixel(SegmentationLoss loss, const at::Tensor& log_probabilities,
                                      const at::Tensor& truth, const at::Tensor& weights = {});

// Weights of classes, of which so many pixels are labelled, by 1 / count; of mean 1 over the pixels, 0 of classes that
// do not occur. float64 [class].
at::Tensor balanced_weights(const std::vector<int64_t>& counts);

}  // namespace tl::ops
