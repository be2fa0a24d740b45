// USK: one level of a U-Net, with an SK network as its coarse level.
#include "core/net/architectures/architectures.h"
#include "core/net/architectures/layer_list.h"

namespace tl::net {
namespace {

Result<Network> make_usk(const Settings& s) {
  LayerList list(2, s.at("inputs"));
  const int64_t unit = s.at("features");
  const auto step = [&](const std::string& name, std::vector<int64_t> inputs, int64_t channels, int64_t kernel,
                        int64_t dilation = 1) {
    list.convolution(name, std::move(inputs), channels, kernel);
    list.last().dilation = dilation;
    return list.relu("relu_" + name, list.index());
  };
  int64_t at = step("conv1", {0}, unit, 3);
  const int64_t fine = at = step("conv2", {at}, unit, 3);
  at = list.pool("pool1", at, LayerKind::max_pool, 2);
  const int64_t kernels[] = {6, 4, 4};
  for (int64_t k = 0, dilation = 1; k < 3; ++k, dilation *= 2) {
    at = step("conv" + std::to_string(k + 3), {at}, 2 * unit, kernels[k], dilation);
    at = list.pool("pool" + std::to_string(k + 2), at, LayerKind::max_pool, 2);
    list.last().stride = 1;
    list.last().dilation = dilation;
  }
  at = step("ip1", {at}, 8 * unit, 8, 8);
  at = step("ip2", {at}, 4 * unit, 1);
  at = list.convolution("reduce", {list.copied("copy", at, 2)}, 2 * unit, 1);
  const int64_t skip = list.crop("crop", fine, at);
  at = step("conv6", {at, skip}, 2 * unit, 3);
  at = step("conv7", {at}, unit, 3);
  list.softmax(list.convolution("final", {at}, s.at("classes"), 1));
  return list.take();
}

}  // namespace

Architecture architecture_usk() {
  return {"usk",
          "SK network within a U-Net of one level",
          "F. Tschopp, Efficient convolutional neural networks for pixelwise classification on heterogeneous hardware "
          "systems, arXiv 1509.03371 (2015)",
          {{"inputs", 3, 1, 1024, "Channels of the input"},
           {"classes", 2, 1, 1024, "Channels of the output"},
           {"features", 64, 1, 1024, "Channels of the finest level"}},
          make_usk};
}

}  // namespace tl::net
