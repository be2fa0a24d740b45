// Network: checks whether a graph of layers can be computed, and determines shapes and initial values of its tensors.
#include "core/net/network.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/base/random.h"

namespace tl::net {
namespace {

Error wrong_layer(const Layer& layer, const std::string& what) {
  return invalid(what, "layer " + layer.name, "Choose a file of a network that Tomoloom wrote");
}

bool has_filters(const Layer& l) { return row_of(l.kind).has_filters(); }

Result<void> check_layer(const Layer& l, std::size_t index) {
  const auto within = [](int64_t n, int64_t low, int64_t high) { return n >= low && n <= high; };
  if ((l.kind == LayerKind::input) != (index == 0))
    return wrong_layer(l, "the first layer, and only that, is the input");
  const LayerKindRow& row = row_of(l.kind);
  if (!within(std::ssize(l.inputs), row.min_inputs, row.max_inputs))
    return wrong_layer(l, "a layer of the kind " + std::string(row.name) + " cannot have " +
                              std::to_string(l.inputs.size()) + " inputs");
  for (const int64_t i : l.inputs)
    if (!within(i, 0, static_cast<int64_t>(index) - 1)) return wrong_layer(l, "an input that is not an earlier layer");
  if ((has_filters(l) || index == 0) && !within(l.channels, 1, max_channels))
    return wrong_layer(l, std::to_string(l.channels) + " channels");
  if (!within(l.kernel, 1, largest_kernel) || !within(l.stride, 1, largest_kernel) ||
      !within(l.dilation, 1, largest_dilation) || !within(l.padding, 0, largest_dilation))
    return wrong_layer(l, "a kernel, stride, dilation or padding that is too large or too small");
  if (!std::isfinite(l.epsilon) || l.epsilon <= 0) return wrong_layer(l, "an epsilon that is not positive");
  if (l.kind == LayerKind::transposed_convolution && (l.stride != l.kernel || l.padding != 0 || l.dilation != 1))
    return wrong_layer(l, "a transposed convolution whose stride is not its kernel");
  const bool pool = row.size == SizeRule::pooled;
  if (pool && (2 * l.padding > l.kernel || l.border != Border::zeros))
    return wrong_layer(l, "a pooling with more padding than half of its kernel");
  if (l.kind == LayerKind::average_pool && (l.dilation != 1 || l.padding != 0))
    return wrong_layer(l, "an average pooling with dilation or padding");
  if (has_filters(l) && l.weight.empty()) return wrong_layer(l, "no name of its weights");
  if (l.kind == LayerKind::batch_norm && (l.weight.empty() || l.bias.empty() || l.mean.empty() || l.variance.empty()))
    return wrong_layer(l, "no names of its tensors");
  if (!within(l.bias_offset, 0, max_layers * max_channels) || (l.bias_offset > 0 && l.kind != LayerKind::convolution))
    return wrong_layer(l, "an impossible offset of its biases");
  return ok();
}

Result<void> fill(Network& network, uint64_t seed, double min_deviation) {
  TL_TRY(const auto shapes, tensor_shapes(network));
  TL_TRY(const auto channels, channels_of(network));
  uint64_t stream = 0x6e65;
  const auto normal = [&](const std::vector<int64_t>& shape, double deviation) {
    const Philox random{seed, stream++};
    at::Tensor t = at::empty(shape, at::kFloat);
    auto* to = t.mutable_data_ptr<float>();
    for (int64_t i = 0; i < t.numel(); ++i)
      to[i] = deviation == 0 ? 0.0F : static_cast<float>(deviation * random.normal(static_cast<uint64_t>(i)));
    return t;
  };
  for (const auto& [name, shape] : shapes) network.tensors[name] = normal(shape, min_deviation);
  for (const Layer& l : network.layers) {
    if (has_filters(l)) {
      const auto& shape = shapes.at(l.weight);
      const int64_t reads = input_channels(l, channels) * static_cast<int64_t>(std::pow(l.kernel, network.dims));
      const double he = std::sqrt(
          2.0 / static_cast<double>(row_of(l.kind).size == SizeRule::squares ? input_channels(l, channels) : reads));
      network.tensors[l.weight] =
          normal(shape, l.initial_deviation < 0 ? he : std::max(l.initial_deviation, 5 * min_deviation));
    } else if (l.kind == LayerKind::batch_norm) {
      network.tensors[l.weight].add_(1);
      network.tensors[l.variance].abs_().add_(1);
    }
  }
  return ok();
}

}  // namespace

int64_t input_channels(const Layer& layer, const std::vector<int64_t>& channels) {
  return std::accumulate(layer.inputs.begin(), layer.inputs.end(), int64_t{0},
                         [&](int64_t sum, int64_t i) { return sum + channels[static_cast<std::size_t>(i)]; });
}

Result<std::vector<int64_t>> channels_of(const Network& network) {
  if (network.dims != 2 && network.dims != 3)
    return invalid("a network of " + std::to_string(network.dims) + " dimensions", "dims", "Give 2 or 3");
  if (network.layers.empty() || network.layers.size() > static_cast<std::size_t>(max_layers))
    return invalid(std::to_string(network.layers.size()) + " layers", "layers",
                   "A network has 1 to " + std::to_string(max_layers));
  std::vector<int64_t> channels;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& l = network.layers[i];
    TL_TRY(check_layer(l, i));
    if (l.name.empty() || !names.insert(l.name).second) return wrong_layer(l, "a name that is empty or used twice");
    const int64_t given = input_channels(l, channels);
    const auto of = [&](std::size_t k) { return channels[static_cast<std::size_t>(l.inputs[k])]; };
    const ChannelRule rule = row_of(l.kind).channels;
    const int64_t out = rule == ChannelRule::own ? l.channels : rule == ChannelRule::all_inputs ? given : of(0);
    if (rule == ChannelRule::same_inputs)
      for (std::size_t k = 1; k < l.inputs.size(); ++k)
        if (of(k) != out) return wrong_layer(l, "inputs of different numbers of channels");
    if (given > max_channels || out > max_channels) return wrong_layer(l, "too many channels");
    channels.push_back(out);
  }
  return channels;
}

Result<std::map<std::string, std::vector<int64_t>>> tensor_shapes(const Network& network) {
  TL_TRY(const auto channels, channels_of(network));
  std::map<std::string, std::vector<int64_t>> shapes;
  std::set<std::string> shared;  // shared bias tensors, as long as required by the layer that uses the highest index
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& l = network.layers[i];
    const auto name_shape = [&](const std::string& name, std::vector<int64_t> shape) -> Result<void> {
      if (!shapes.emplace(name, std::move(shape)).second)
        return wrong_layer(l, "the tensor " + name + " has two meanings");
      return ok();
    };
    if (has_filters(l)) {
      const int64_t in = input_channels(l, channels);
      std::vector<int64_t> shape{l.channels, in};
      const FilterLayout layout = row_of(l.kind).filters;
      if (layout == FilterLayout::in_out) std::swap(shape[0], shape[1]);
      if (layout == FilterLayout::flat) {
        for (int64_t d = 0; d < network.dims; ++d) shape[1] *= l.kernel;
      } else {
        shape.insert(shape.end(), static_cast<std::size_t>(network.dims), l.kernel);
      }
      // A network is kept in memory: 2^40 numbers are beyond any.
      double count = 1;
      for (const int64_t n : shape) count *= static_cast<double>(n);
      if (count > 0x1p40) return wrong_layer(l, "too many weights");
      TL_TRY(name_shape(l.weight, std::move(shape)));
      if (!l.bias.empty()) {
        if (shapes.count(l.bias) != 0 && shared.count(l.bias) == 0)
          return wrong_layer(l, "the tensor " + l.bias + " has two meanings");
        shared.insert(l.bias);
        auto& length = shapes.emplace(l.bias, std::vector<int64_t>{0}).first->second[0];
        length = std::max(length, l.bias_offset + l.channels);
      }
    } else if (l.kind == LayerKind::batch_norm) {
      for (const std::string* name : {&l.weight, &l.bias, &l.mean, &l.variance})
        TL_TRY(name_shape(*name, {channels[i]}));
    }
  }
  return shapes;
}

std::vector<bool> used_layers(const Network& network) {
  std::vector<bool> used(network.layers.size(), false);
  if (!used.empty()) used.back() = true;
  for (std::size_t i = used.size(); i-- > 0;)
    if (used[i])
      for (const int64_t k : network.layers[i].inputs) used[static_cast<std::size_t>(k)] = true;
  return used;
}

Result<void> initialise(Network& network, uint64_t seed) { return fill(network, seed, 0); }

Result<void> randomise(Network& network, uint64_t seed) {
  constexpr double visible = 0.1;
  return fill(network, seed, visible);
}

}  // namespace tl::net
