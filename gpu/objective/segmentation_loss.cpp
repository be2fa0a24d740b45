// Gathers the probabilities of the true classes, and overlaps of maps and classes.
#include "gpu/objective/segmentation_loss.h"

#include <ATen/ATen.h>

namespace tl::ops {

at::Tensor segmentation_loss(SegmentationLoss loss, const at::Tensor& log_probabilities, const at::Tensor& truth,
                             const at::Tensor& weights) {
  if (truth.numel() == 0) return (log_probabilities * 0).sum();
  at::Tensor result = at::zeros({}, log_probabilities.options());
  if (loss != SegmentationLoss::dice) {
    const at::Tensor of_truth = -log_probabilities.gather(0, truth.unsqueeze(0)).squeeze(0);
    if (weights.defined()) {
      const at::Tensor w = weights.to(log_probabilities.options()).index_select(0, truth);
      result = result + (w * of_truth).sum() / w.sum();
    } else {
      result = result + of_truth.mean();
    }
  }
  if (loss != SegmentationLoss::cross_entropy) {
    const at::Tensor p = log_probabilities.exp(),
                     t = at::one_hot(truth, p.size(0)).transpose(0, 1).to(log_probabilities.options());
    const at::Tensor count = t.sum(1), present = count.gt(0).nonzero().flatten();
    const at::Tensor dice = 2 * (p * t).sum(1) / (p.sum(1) + count);
    result = result + 1 - dice.index_select(0, present).mean();
  }
  return result;
}

at::Tensor segmentation_loss_by_pixel(SegmentationLoss loss, const at::Tensor& log_probabilities,
                                      const at::Tensor& truth, const at::Tensor& weights) {
  const at::Tensor logs = log_probabilities.detach().to(at::kDouble);
  at::Tensor shares = at::zeros(truth.sizes(), at::kDouble);
  if (truth.numel() == 0) return shares;
  const at::Tensor of_truth = logs.gather(0, truth.unsqueeze(0)).squeeze(0);
  if (loss != SegmentationLoss::dice) {
    const at::Tensor w =
        weights.defined() ? weights.to(at::kDouble).index_select(0, truth) : at::ones(truth.sizes(), at::kDouble);
    shares = shares - w * of_truth / w.sum();
  }
  if (loss != SegmentationLoss::cross_entropy) {
    const at::Tensor count = at::bincount(truth, {}, logs.size(0)).to(at::kDouble), present = count.gt(0);
    const at::Tensor both = (logs.exp().sum(1) + count) * present.sum();
    shares = shares + 1.0 / static_cast<double>(truth.numel()) - 2 * of_truth.exp() / both.index_select(0, truth);
  }
  return shares;
}

at::Tensor balanced_weights(const std::vector<int64_t>& counts) {
  double labelled = 0, present = 0;
  for (const int64_t n : counts) {
    labelled += static_cast<double>(n);
    present += n > 0 ? 1 : 0;
  }
  std::vector<double> weights;
  weights.reserve(counts.size());
  for (const int64_t n : counts) weights.push_back(n > 0 ? labelled / (present * static_cast<double>(n)) : 0);
  return at::tensor(weights, at::kDouble);
}

}  // namespace tl::ops
