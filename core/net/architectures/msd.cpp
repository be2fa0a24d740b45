// Mixed-scale dense network: every layer sees the input and all layers before it, with dilations that repeat
// cyclically.
#include <cmath>

#include "core/net/architectures/architectures.h"
#include "core/net/architectures/layer_list.h"

namespace tl::net {
namespace {

constexpr int64_t msd_kernel = 3;

// Tensors are named as in msd_pytorch: one tensor holds the biases of all layers but the last.
Result<Network> make_msd(const Settings& s) {
  const int64_t depth = s.at("depth"), width = s.at("width"), in = s.at("inputs"), out = s.at("classes"),
                dims = s.at("dims");
  LayerList list(dims, in);
  std::vector<int64_t> before{0};
  const double read =
      std::pow(msd_kernel, dims) * static_cast<double>(in + width * (depth - 1)) + static_cast<double>(out);
  for (int64_t i = 0; i < depth; ++i) {
    const std::string number = std::to_string(i);
    list.convolution("layer" + number, before, width, msd_kernel);
    Layer& l = list.last();
    l.dilation = l.padding = i % s.at("dilations") + 1;
    l.border = Border::mirrored;
    l.weight = "msd_block.weight" + number;
    l.bias = "msd_block.bias";
    l.bias_offset = i * width;
    l.initial_deviation = std::sqrt(2 / read);
    before.push_back(list.relu("relu" + number, list.index()));
  }
  list.convolution("final", before, out, 1);
  list.last().weight = "final_layer.linear.weight";
  list.last().bias = "final_layer.linear.bias";
  list.last().initial_deviation = 0;
  return list.take();
}

}  // namespace

Architecture architecture_msd() {
  return {
      "msd",
      "mixed-scale dense network",
      "D. M. Pelt, J. A. Sethian, A mixed-scale dense convolutional neural network for image analysis, PNAS 115, 254 "
      "(2018)",
      {{"depth", 100, 1, 1000, "Layers",
        TrainingField{"Depth", " layers", 30, 200,
                      "More layers have a larger receptive field and take longer: 30 are enough to begin with."}},
       {"width", 1, 1, 64, "Channels of a layer"},
       {"dilations", 10, 1, 64, "Layer i has the dilation i % dilations + 1"},
       {"inputs", 1, 1, 1024, "Channels of the input"},
       {"classes", 2, 1, 1024, "Channels of the output"},
       {"dims", 2, 2, 3, "Axes of space"}},
      make_msd,
      TrainingOffer{"MS-D", "Mixed-scale dense networks (MS-D) have few weights and learn from few labels."}};
}

}  // namespace tl::net
