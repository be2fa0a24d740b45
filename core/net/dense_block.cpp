// Finds dense blocks among the layers; where gradients are wanted, a block has one of its own.
#include "core/net/dense_block.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <map>
#include <memory>

#include "gpu/image/padded_gradients.h"
#include "gpu/image/padded_maps.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/own_gradient.h"

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

// A convolution with its rectifier: which padded maps it reads and writes.
struct DensePair {
  std::vector<int64_t> inputs;
  int64_t output = 0, channels = 1, dilation = 1;
  std::size_t weight = 0, bias = 0;  // indices of tensors
  int64_t bias_offset = 0;
  bool has_bias = false;
};

// A block by itself: the maps before it, then the tensors, are what its numbers depend on.
struct DenseBlock {
  std::vector<DensePair> pairs;
  std::vector<int64_t> before;        // layers whose maps it reads
  std::vector<int64_t> before_place;  // their first padded map
  std::vector<int64_t> before_channels;
  std::vector<std::string> tensors;
  int64_t count = 0, border = 1;
};

std::size_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

// Empty if there is none.
DenseBlock block_at(const Network& network, std::size_t first, const std::vector<int64_t>& readers,
                    const std::vector<at::Tensor>& maps) {
  DenseBlock block;
  const at::Tensor like = maps[static_cast<std::size_t>(network.layers[first].inputs[0])];
  std::map<int64_t, int64_t> place, channels;  // of a layer among the padded maps
  for (std::size_t i = first; is_dense_pair(network, i, readers); i += 2) {
    const Layer& conv = network.layers[i];
    const bool readable = std::all_of(conv.inputs.begin(), conv.inputs.end(), [&](int64_t k) {
      if (k >= static_cast<int64_t>(first)) return place.count(k) != 0;
      const at::Tensor& map = maps[static_cast<std::size_t>(k)];
      return has_loop(map) && map.sizes().slice(2).equals(like.sizes().slice(2));
    });
    if (!readable) break;
    DensePair pair;
    for (const int64_t k : conv.inputs) {
      if (place.emplace(k, block.count).second) {
        channels[k] = maps[static_cast<std::size_t>(k)].size(1);
        block.before.push_back(k);
        block.before_place.push_back(block.count);
        block.before_channels.push_back(channels[k]);
        block.count += channels[k];
      }
      for (int64_t c = 0; c < channels[k]; ++c) pair.inputs.push_back(place[k] + c);
    }
    pair.output = block.count;
    pair.channels = conv.channels;
    pair.dilation = conv.dilation;
    pair.weight = index_of(block.tensors, conv.weight);
    pair.has_bias = !conv.bias.empty();
    if (pair.has_bias) pair.bias = index_of(block.tensors, conv.bias);
    pair.bias_offset = conv.bias_offset;
    place.emplace(static_cast<int64_t>(i) + 1, block.count);
    channels[static_cast<int64_t>(i) + 1] = conv.channels;
    block.count += conv.channels;
    block.border = std::max(block.border, conv.dilation);
    block.pairs.push_back(std::move(pair));
  }
  return block;
}

// `before`: the maps that it reads, then its tensors. `after` is told each pair that is computed.
template <class After>
std::shared_ptr<ops::PaddedMaps> computed(const DenseBlock& block, at::TensorList before, const CancelToken& cancel,
                                          const After& after) {
  const at::Tensor& like = before[0];
  auto padded =
      std::make_shared<ops::PaddedMaps>(block.count, like.size(2), like.size(3), block.border, like.scalar_type());
  for (std::size_t k = 0; k < block.before.size(); ++k)
    for (int64_t c = 0; c < before[k].size(1); ++c) padded->put(block.before_place[k] + c, before[k].detach()[0][c]);
  for (const DensePair& pair : block.pairs) {
    if (cancel.cancelled()) throw Failure(cancelled());
    const at::Tensor weight = before[block.before.size() + pair.weight].detach().to(at::kDouble);
    ops::DenseLayer step;
    step.inputs = pair.inputs;
    step.dilation = pair.dilation;
    for (int64_t c = 0; c < pair.channels; ++c) {
      step.output = pair.output + c;
      step.weight = weight[c];
      step.bias =
          pair.has_bias ? before[block.before.size() + pair.bias].detach()[pair.bias_offset + c].item<double>() : 0;
      padded->add(step);
    }
    after(pair, *padded);
  }
  return padded;
}

// What the way back needs.
struct DenseState {
  DenseBlock block;
  CancelToken cancel;
  std::shared_ptr<ops::PaddedMaps> maps;
  Tensors tensors;                    // float64, as they were
  std::vector<at::ScalarType> types;  // that they had
  std::vector<bool> wanted;           // of the maps before it, then of the tensors
};

// The rectified maps of every pair.
Tensors compute_and_keep(DenseState& state, const Tensors& before) {
  const at::AutoGradMode off(false);
  Tensors out;
  state.maps = computed(state.block, before, state.cancel, [&](const DensePair& pair, const ops::PaddedMaps& maps) {
    out.push_back(maps.view(pair.output, pair.channels).unsqueeze(0).contiguous());
  });
  for (const at::Tensor& t : before) state.wanted.push_back(t.requires_grad());
  for (std::size_t k = state.block.before.size(); k < before.size(); ++k) {
    state.tensors.push_back(before[k].detach().to(at::kDouble, false, true));
    state.types.push_back(before[k].scalar_type());
  }
  return out;
}

Tensors dense_gradients(const DenseState& state, const Tensors& grads) {
  if (at::GradMode::is_enabled())
    throw Failure(unavailable("second derivatives of a dense block are not available", "network"));
  const DenseBlock& block = state.block;
  ops::PaddedGradients gradients(*state.maps);
  const at::TensorOptions options = state.maps->data().options();
  const auto empty_map = [&] { return at::zeros({state.maps->ny(), state.maps->nx()}, options); };
  std::vector<std::vector<ops::DenseReader>> readers(static_cast<std::size_t>(block.count));
  std::vector<at::Tensor> of_tensors;
  for (const at::Tensor& t : state.tensors) of_tensors.push_back(at::zeros_like(t));
  for (std::size_t p = block.pairs.size(); p-- > 0;) {
    if (state.cancel.cancelled()) throw Failure(cancelled());
    const DensePair& pair = block.pairs[p];
    ops::DenseLayer step;
    step.inputs = pair.inputs;
    step.dilation = pair.dilation;
    for (int64_t c = 0; c < pair.channels; ++c) {
      const int64_t output = pair.output + c;
      at::Tensor gradient = grads[p].defined() ? grads[p][0][c].clone(at::MemoryFormat::Contiguous) : empty_map();
      gradients.add_from(readers[static_cast<std::size_t>(output)], gradient);
      gradients.put(output, gradient);
      step.output = output;
      if (state.wanted[block.before.size() + pair.weight])
        of_tensors[pair.weight][c].add_(gradients.weight_gradient(step));
      if (pair.has_bias) of_tensors[pair.bias][pair.bias_offset + c].add_(gradients.bias_gradient(output));
      const at::Tensor weight = state.tensors[pair.weight][c].contiguous();
      for (std::size_t k = 0; k < pair.inputs.size(); ++k) {
        ops::DenseReader reader{output, {}, pair.dilation};
        std::copy_n(weight.const_data_ptr<double>() + k * reader.weight.size(), reader.weight.size(),
                    reader.weight.begin());
        readers[static_cast<std::size_t>(pair.inputs[k])].push_back(reader);
      }
    }
  }
  Tensors result;
  for (std::size_t k = 0; k < block.before.size(); ++k) {
    std::vector<at::Tensor> channels;
    for (int64_t c = 0; state.wanted[k] && c < block.before_channels[k]; ++c) {
      channels.push_back(empty_map());
      gradients.add_from(readers[static_cast<std::size_t>(block.before_place[k] + c)], channels.back());
    }
    result.push_back(channels.empty() ? at::Tensor() : at::stack(channels).unsqueeze(0));
  }
  for (std::size_t k = 0; k < of_tensors.size(); ++k) result.push_back(of_tensors[k].to(state.types[k]));
  return result;
}

}  // namespace

std::size_t compute_dense_block(const Network& network, std::size_t first, const std::vector<int64_t>& readers,
                                std::vector<at::Tensor>& maps, const ForwardOptions& options) {
  if (network.dims != 2 || !is_dense_pair(network, first, readers)) return first;
  DenseBlock block = block_at(network, first, readers, maps);
  if (block.pairs.empty()) return first;
  const std::size_t end = first + 2 * block.pairs.size();
  std::vector<at::Tensor> before;
  for (const int64_t k : block.before) before.push_back(maps[static_cast<std::size_t>(k)]);
  for (const std::string& name : block.tensors) before.push_back(network.tensors.at(name));
  // Derivatives along one direction go through the layers one by one.
  if (std::any_of(before.begin(), before.end(), carries_tangent)) return first;
  std::size_t at = first;
  const auto give = [&](at::Tensor map) {
    maps[at + 1] = std::move(map);
    if (options.after_layer) {
      options.after_layer(at, maps[at + 1]);
      options.after_layer(at + 1, maps[at + 1]);
    }
    at += 2;
  };
  const bool gradients =
      at::GradMode::is_enabled() &&
      std::any_of(before.begin(), before.end(), [](const at::Tensor& t) { return t.requires_grad(); });
  if (gradients) {
    const auto state = std::make_shared<DenseState>();
    state->block = std::move(block);
    state->cancel = options.cancel;
    const auto backward = [state](const Tensors& g) { return dense_gradients(*state, g); };
    for (at::Tensor& map : with_gradient(compute_and_keep(*state, before), before, backward)) give(std::move(map));
  } else {
    computed(block, before, options.cancel, [&](const DensePair& pair, const ops::PaddedMaps& padded) {
      give(padded.view(pair.output, pair.channels).unsqueeze(0));
    });
  }
  return end;
}

}  // namespace tl::net
