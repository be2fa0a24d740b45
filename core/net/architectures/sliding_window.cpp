// SW: a classifier of the middle pixel of a window. SK: the equivalent network for all pixels at once.
#include <algorithm>

#include "core/net/architectures/architectures.h"
#include "core/net/architectures/layer_list.h"
#include "core/net/convert.h"
#include "core/net/counts.h"

namespace tl::net {
namespace {

Result<Network> make_sliding_window(const Settings& s) {
  LayerList list(2, s.at("inputs"));
  const auto part = [&](int64_t channels) { return std::max<int64_t>(channels / s.at("shrink"), 1); };
  const std::pair<int64_t, int64_t> windows[] = {{48, 7}, {128, 5}, {192, 3}};
  int64_t at = 0, number = 0;
  for (const auto& [channels, kernel] : windows) {
    const std::string name = std::to_string(++number);
    at = list.relu("relu" + name, list.convolution("conv" + name, {at}, part(channels), kernel));
    at = list.pool("pool" + name, at, LayerKind::max_pool, 2);
  }
  Network so_far = LayerList(list).take();
  TL_TRY(const auto sizes, layer_sizes(so_far, {s.at("width"), s.at("width")}));
  const auto inner = [&](const std::string& name, int64_t channels, int64_t map) {
    list.convolution(name, {at}, channels, map);
    list.last().kind = LayerKind::inner_product;
    return list.index();
  };
  at = list.relu("relu4", inner("ip1", part(1024), sizes.back().back()));
  at = list.relu("relu5", inner("ip2", part(512), 1));
  at = inner("ip3", s.at("classes"), 1);
  list.softmax(at);
  return list.take();
}

Result<Network> make_dense_window(const Settings& s) {
  TL_TRY(const Network window, make_sliding_window(s));
  return fully_convolutional(window);
}

const char* const cited =
    "F. Tschopp, Efficient convolutional neural networks for pixelwise classification on heterogeneous hardware "
    "systems, "
    "arXiv 1509.03371 (2015)";

std::vector<Setting> window_settings() {
  return {{"inputs", 3, 1, 1024, "Channels of the input"},
          {"classes", 2, 1, 1024, "Channels of the output"},
          {"width", 102, 10, 4096, "Edge of the window, in pixels"},
          {"shrink", 1, 1, 64, "Divisor of the number of channels"}};
}

}  // namespace

Architecture architecture_sliding_window() {
  return {"sw", "classifier of the middle of a window", cited, window_settings(), make_sliding_window};
}

Architecture architecture_dense_window() {
  return {"sk", "sw for all pixels at once", cited, window_settings(), make_dense_window};
}

}  // namespace tl::net
