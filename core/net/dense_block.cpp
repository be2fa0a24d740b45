// Finds dense blocks among the layers.
#include "core/net/dense_block.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <map>

#include "gpu/image/padded_maps.h"

namespace tl::net {
namespace {

bool is_dense_pair(const Network& network, std::size_t i, const std::vector<int64_t>& readers) {
  if (i + 1 >= network.layers.size()) return false;
  const Layer &conv = network.layers[i], &relu = network.layers[i + 1];
  constexpr int64_t edge = 3, longest_dilation = 64;  // beyond it the mirrored ends would be most of the memory
  return conv.kind == LayerKind::convolution && conv.kernel == edge && conv.stride == 1 &&
         conv.border == Border::mirrored && conv.padding == conv.dilation && conv.dilation <= longest_dilation &&
         relu.kind == LayerKind::relu && relu.inputs[0] == static_cast<int64_t>(i) && readers[i] == 1;
}

bool has_loop(const at::Tensor& map) {
  return map.defined() && map.device().is_cpu() && map.dim() == 4 && map.size(0) == 1 &&
         (map.scalar_type() == at::kFloat || map.scalar_type() == at::kDouble);
}

}  // namespace

std::size_t compute_dense_block(const Network& network, std::size_t first, const std::vector<int64_t>& readers,
                                std::vector<at::Tensor>& maps, const ForwardOptions& options) {
  if (at::GradMode::is_enabled() || network.dims != 2 || !is_dense_pair(network, first, readers)) return first;
  const at::Tensor like = maps[static_cast<std::size_t>(network.layers[first].inputs[0])];
  std::map<int64_t, int64_t> place;  // of a layer's first map among the padded ones
  int64_t count = 0, border = 1;
  std::size_t end = first;
  for (; is_dense_pair(network, end, readers); end += 2) {
    const Layer& conv = network.layers[end];
    const bool readable = std::all_of(conv.inputs.begin(), conv.inputs.end(), [&](int64_t k) {
      if (k >= static_cast<int64_t>(first)) return place.count(k) != 0;
      const at::Tensor& map = maps[static_cast<std::size_t>(k)];
      return has_loop(map) && map.sizes().slice(2).equals(like.sizes().slice(2));
    });
    if (!readable) break;
    for (const int64_t k : conv.inputs)
      if (place.emplace(k, count).second) count += maps[static_cast<std::size_t>(k)].size(1);
    place.emplace(static_cast<int64_t>(end) + 1, count);
    count += conv.channels;
    border = std::max(border, conv.dilation);
  }
  if (end == first) return first;

  ops::PaddedMaps padded(count, like.size(2), like.size(3), border, like.scalar_type());
  for (const auto& [layer, at] : place)
    if (layer < static_cast<int64_t>(first)) {
      const at::Tensor& map = maps[static_cast<std::size_t>(layer)];
      for (int64_t c = 0; c < map.size(1); ++c) padded.put(at + c, map[0][c]);
    }
  std::map<int64_t, int64_t> channels;
  for (const auto& [layer, at] : place)
    channels[layer] = layer < static_cast<int64_t>(first)
                          ? maps[static_cast<std::size_t>(layer)].size(1)
                          : network.layers[static_cast<std::size_t>(layer) - 1].channels;
  for (std::size_t i = first; i < end; i += 2) {
    if (options.cancel.cancelled()) throw Failure(cancelled());
    const Layer& conv = network.layers[i];
    ops::DenseLayer step;
    step.dilation = conv.dilation;
    for (const int64_t k : conv.inputs)
      for (int64_t c = 0; c < channels[k]; ++c) step.inputs.push_back(place[k] + c);
    const at::Tensor weight = network.tensors.at(conv.weight).to(at::kDouble);
    const at::Tensor bias = conv.bias.empty() ? at::zeros({conv.bias_offset + conv.channels}, at::kDouble)
                                              : network.tensors.at(conv.bias).to(at::kDouble);
    const int64_t out = place[static_cast<int64_t>(i) + 1];
    for (int64_t c = 0; c < conv.channels; ++c) {
      step.output = out + c;
      step.weight = weight[c];
      step.bias = bias[conv.bias_offset + c].item<double>();
      padded.add(step);
    }
    maps[i + 1] = padded.view(out, conv.channels).unsqueeze(0);
    if (options.after_layer) {
      options.after_layer(i, maps[i + 1]);
      options.after_layer(i + 1, maps[i + 1]);
    }
  }
  return end;
}

}  // namespace tl::net
