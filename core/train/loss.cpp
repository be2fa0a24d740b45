// Cross-entropy and Dice of labelled pixels.
#include "core/train/loss.h"

#include <ATen/ATen.h>

#include "core/net/forward.h"

namespace tl::train {
namespace {

at::Tensor log_probabilities(const net::Network& network, const at::Tensor& map) {
  constexpr double smallest = 1e-12;
  if (network.layers.back().kind == net::LayerKind::softmax) return map.clamp_min(smallest).log();
  return at::log_softmax(map.size(1) > 1 ? map : at::cat({at::zeros_like(map), map}, 1), 1);
}

// [class, pixel], labelled pixels only.
at::Tensor by_pixel(const at::Tensor& map, const at::Tensor& labelled) {
  return map.transpose(0, 1).flatten(1).index_select(1, labelled);
}

}  // namespace

at::Tensor loss_of(Loss loss, const net::Network& network, const at::Tensor& map, const at::Tensor& labels,
                   const at::Tensor& weights) {
  const at::Tensor labelled = labels.flatten().ge(0).nonzero().flatten();
  if (labelled.numel() == 0) return (map * 0).sum();
  const at::Tensor truth = labels.flatten().index_select(0, labelled);
  const at::Tensor logs = by_pixel(log_probabilities(network, map), labelled);
  at::Tensor result = at::zeros({}, map.options());
  if (loss != Loss::dice) {
    const at::Tensor of_truth = -logs.gather(0, truth.unsqueeze(0)).squeeze(0);
    if (weights.defined()) {
      const at::Tensor w = weights.to(map.options()).index_select(0, truth);
      result = result + (w * of_truth).sum() / w.sum();
    } else {
      result = result + of_truth.mean();
    }
  }
  if (loss != Loss::cross_entropy) {
    const at::Tensor p = logs.exp(), t = at::one_hot(truth, p.size(0)).transpose(0, 1).to(map.options());
    const at::Tensor count = t.sum(1), present = count.gt(0).nonzero().flatten();
    const at::Tensor dice = 2 * (p * t).sum(1) / (p.sum(1) + count);
    result = result + 1 - dice.index_select(0, present).mean();
  }
  return result;
}

}  // namespace tl::train
