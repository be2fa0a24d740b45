// Cross-entropy, Dice and MALIS of labelled pixels.
#include "core/train/loss.h"

#include <ATen/ATen.h>

#include "core/net/forward.h"
#include "core/net/malis_loss.h"
#include "gpu/objective/segmentation_loss.h"

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
  if (loss == Loss::malis) return net::malis_loss_of(network, map, labels);
  const at::Tensor truth = labels.flatten().index_select(0, labelled);
  const at::Tensor logs = by_pixel(log_probabilities(network, map), labelled);
  const auto kind = loss == Loss::dice  ? ops::SegmentationLoss::dice
                    : loss == Loss::sum ? ops::SegmentationLoss::sum
                                        : ops::SegmentationLoss::cross_entropy;
  return ops::segmentation_loss(kind, logs, truth, weights);
}

}  // namespace tl::train
