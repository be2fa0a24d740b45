// Probabilities, objects, MALIS.
#include "core/net/malis_loss.h"

#include <ATen/ATen.h>

#include "core/net/forward.h"
#include "gpu/segmentation/components.h"
#include "gpu/segmentation/malis.h"

namespace tl::net {

at::Tensor malis_loss_of(const at::Tensor& inside, const at::Tensor& classes) {
  const at::Tensor numbers = classes.to(at::kInt);
  const at::Tensor objects = ops::components(numbers.clamp_min(0), {}).or_throw().labels.masked_fill(numbers.lt(0), -1);
  return ops::malis_loss(inside, objects);
}

at::Tensor malis_loss_of(const Network& network, const at::Tensor& map, const at::Tensor& labels) {
  TL_CHECK(labels.dim() + 1 == map.dim() && map.size(0) == labels.size(0), "labels of each image of the batch");
  const at::Tensor inside = 1 - probabilities(network, map).select(1, 0);
  at::Tensor sum = at::zeros({}, map.options());
  for (int64_t i = 0; i < labels.size(0); ++i) sum = sum + malis_loss_of(inside[i], labels[i]);
  return sum / static_cast<double>(labels.size(0));
}

}  // namespace tl::net
