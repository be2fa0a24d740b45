// FCN-ResNet50: a residual network whose last stages keep the resolution, a head, and enlargement of the map to the
// input's size.
#include "core/net/architectures/architectures.h"
#include "core/net/architectures/layer_list.h"

namespace tl::net {
namespace {

struct Filters {
  int64_t channels, kernel = 1, stride = 1, dilation = 1;
};

int64_t normed(LayerList& list, const std::string& conv, const std::string& norm, int64_t input, const Filters& f) {
  list.convolution(conv, {input}, f.channels, f.kernel, Bias::without);
  list.last().stride = f.stride;
  list.last().dilation = f.dilation;
  list.last().padding = f.dilation * (f.kernel / 2);
  return list.batch_norm(norm, list.index());
}

struct Stage {
  int64_t width, blocks, stride, dilation;
};

// The 3 x 3 filters have the stride; names are as in torchvision's state dicts.
int64_t bottleneck(LayerList& list, const std::string& name, int64_t input, const Filters& middle, bool widened,
                   int64_t& relus) {
  const auto relu = [&](int64_t at) { return list.relu("relu" + std::to_string(++relus), at); };
  constexpr int64_t expansion = 4;
  int64_t at = relu(normed(list, name + ".conv1", name + ".bn1", input, {middle.channels}));
  at = relu(normed(list, name + ".conv2", name + ".bn2", at, middle));
  at = normed(list, name + ".conv3", name + ".bn3", at, {expansion * middle.channels});
  const int64_t skip = widened ? normed(list, name + ".downsample.0", name + ".downsample.1", input,
                                        {expansion * middle.channels, 1, middle.stride})
                               : input;
  Layer sum;
  sum.name = name + ".add";
  sum.kind = LayerKind::add;
  sum.inputs = {at, skip};
  return relu(list.add(sum));
}

int64_t head(LayerList& list, const std::string& name, int64_t input, int64_t channels, int64_t classes) {
  const int64_t at = list.relu(name + ".2", normed(list, name + ".0", name + ".1", input, {channels, 3}));
  Layer dropout;
  dropout.name = name + ".3";
  dropout.kind = LayerKind::dropout;
  dropout.inputs = {at};
  list.convolution(name + ".4", {list.add(dropout)}, classes, 1);
  Layer resize;
  resize.name = name == "classifier" ? "output" : "auxiliary_output";
  resize.kind = LayerKind::resize;
  resize.interpolation = Interpolation::linear;
  resize.inputs = {list.index(), 0};
  return list.add(resize);
}

Result<Network> make_fcn_resnet50(const Settings& s) {
  LayerList list(2, s.at("inputs"));
  int64_t relus = 0, stage_number = 0, at = normed(list, "backbone.conv1", "backbone.bn1", 0, {64, 7, 2});
  at = list.relu("relu0", at);
  at = list.pool("backbone.maxpool", at, LayerKind::max_pool, 3);
  list.last().stride = 2;
  list.last().padding = 1;
  int64_t third = 0, before = 1;  // dilation of the previous stage, which the first block of a stage keeps
  for (const Stage& stage : {Stage{64, 3, 1, 1}, Stage{128, 4, 2, 1}, Stage{256, 6, 1, 2}, Stage{512, 3, 1, 4}}) {
    ++stage_number;
    for (int64_t b = 0; b < stage.blocks; ++b)
      at = bottleneck(list, "backbone.layer" + std::to_string(stage_number) + "." + std::to_string(b), at,
                      {stage.width, 3, b == 0 ? stage.stride : 1, b == 0 ? before : stage.dilation}, b == 0, relus);
    before = stage.dilation;
    if (stage_number == 3) third = at;
  }
  if (s.at("aux") != 0) head(list, "aux_classifier", third, 256, s.at("classes"));
  head(list, "classifier", at, 512, s.at("classes"));
  Network network = list.take();
  if (s.at("inputs") == 3) network.scaling = {{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}};
  return network;
}

}  // namespace

Architecture architecture_fcn_resnet50() {
  return {"fcn_resnet50",
          "fully convolutional network on ResNet-50",
          "J. Long, E. Shelhamer, T. Darrell, Fully convolutional networks for semantic segmentation, CVPR (2015) 3431",
          {{"classes", 21, 1, 1024, "Channels of the output"},
           {"inputs", 3, 1, 1024, "Channels of the input"},
           {"aux", 0, 0, 1, "1: with the auxiliary head that training uses"}},
          make_fcn_resnet50,
          TrainingOffer{"FCN-ResNet50", "FCN-ResNet50 has the most weights and takes longest."}};
}

}  // namespace tl::net
