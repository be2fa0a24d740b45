// core/nodes/filter/soft_threshold.cpp: soft threshold of a volume: two grey values with a soft step between them.
#include <ATen/ATen.h>

#include "core/node/node_builder.h"

namespace tl::filter_soft_threshold_node {

struct Params {
  Learnable<double> threshold{0.5, {}}, width{0.05, {}}, below{0, {}}, above{1, {}};
};

Result<void> run(const Params& p, NodeRun& r) {
  Volume out = r.in<Volume>("volume");
  const auto number = [&](const Learnable<double>& l) {
    return tensor_of(l).to(out.data.device(), out.data.scalar_type());
  };
  const at::Tensor share = at::sigmoid((out.data - number(p.threshold)) / number(p.width));
  out.data = number(p.below) + (number(p.above) - number(p.below)) * share;
  return r.done("volume", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.soft_threshold", 1).title("Soft threshold").category("Filter").partition(Partition::pointwise);
  n.summary("Segments a volume into two grey values by a sigmoid, which gradients can pass.");
  n.description(
      "below + (above - below) / (1 + exp(-(value - threshold) / width)). The width sets how soft the step is: 0.05 of "
      "the contrast gives nearly two values, and still a gradient for threshold and image. All four numbers can be "
      "learned.");
  n.synonyms({"segmentation", "Otsu", "sigmoid", "binarise", "mask", "step", "threshold"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "The same grid, values between below and above.");
  n.param("threshold", "Threshold", &Params::threshold)
      .range(-1e9, 1e9)
      .learnable()
      .help("Value at the middle of the step, in the unit of the volume.");
  n.param("width", "Width", &Params::width)
      .range(1e-9, 1e9)
      .learnable()
      .help("Softness of the step, in the unit of the volume: 76 % of the step lie within twice the width.");
  n.param("below", "Value below", &Params::below)
      .range(-1e9, 1e9)
      .learnable()
      .help("Grey value of the voxels below the threshold.");
  n.param("above", "Value above", &Params::above)
      .range(-1e9, 1e9)
      .learnable()
      .help("Grey value of the voxels above the threshold.");
  n.example({{"threshold", "0.05"}, {"width", "0.02"}});
  n.on_gpu();
  n.run(run);
}

}  // namespace tl::filter_soft_threshold_node

TL_NODE(filter_soft_threshold)
