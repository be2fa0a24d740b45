// Computes dense blocks, with a backward pass of their own if gradients are needed. If only a layer of 1 x 1
// convolutions reads a block's maps, it is computed together with the block, and maps that are no longer needed are
// overwritten by later ones: a pruned network of a hundred maps then stays in the processor's caches.
#include "core/net/dense_block.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/net/dense_plan.h"
#include "gpu/image/padded_gradients.h"
#include "gpu/image/padded_maps.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/own_gradient.h"

namespace tl::net {
namespace {

// `before`: the maps that the block reads, then its tensors. `slot` returns the index of a map among the padded ones.
template <class Slot>
void put_before(const DenseBlock& block, at::TensorList before, const Slot& slot, ops::PaddedMaps& padded) {
  for (std::size_t k = 0; k < block.before.size(); ++k)
    for (int64_t c = 0; c < before[k].size(1); ++c)
      padded.put(slot(block.before_place[k] + c), before[k].detach()[0][c]);
}
// The layers of the pairs from `first` to `end`.
template <class Slot>
std::vector<ops::DenseLayer> layers_of(const DenseBlock& block, std::size_t first, std::size_t end,
                                       at::TensorList before, const Slot& slot) {
  std::vector<ops::DenseLayer> layers;
  for (std::size_t p = first; p < end; ++p) {
    const DensePair& pair = block.pairs[p];
    const at::Tensor weight = before[block.before.size() + pair.weight].detach().to(at::kDouble);
    ops::DenseLayer layer;
    for (const int64_t m : pair.inputs) layer.inputs.push_back(slot(m));
    layer.dilation = pair.dilation;
    for (int64_t c = 0; c < pair.channels; ++c) {
      layer.output = slot(pair.output + c);
      layer.weight = weight[c];
      layer.bias =
          pair.has_bias ? before[block.before.size() + pair.bias].detach()[pair.bias_offset + c].item<double>() : 0;
      layers.push_back(layer);
    }
  }
  return layers;
}

// When `after` is called for the computed pairs: after each pair, or once after all.
enum class Calls { one_by_one, in_the_end };
template <class After>
std::shared_ptr<ops::PaddedMaps> computed(const DenseBlock& block, at::TensorList before, const CancelToken& cancel,
                                          Calls calls, const After& after) {
  const at::Tensor& like = before[0];
  auto padded =
      std::make_shared<ops::PaddedMaps>(block.count, like.size(2), like.size(3), block.border, like.scalar_type());
  const auto as_numbered = [](int64_t map) { return map; };
  put_before(block, before, as_numbered, *padded);
  std::vector<ops::DenseStep> steps;
  for (std::size_t g = 0; g < block.groups.size(); ++g) {
    const std::size_t first = g == 0 ? 0 : block.groups[g - 1], end = block.groups[g];
    steps.push_back({layers_of(block, first, end, before, as_numbered), {}});
    if (calls == Calls::in_the_end) continue;
    padded->compute(steps, cancel);
    steps.clear();
    for (std::size_t p = first; p < end; ++p) after(block.pairs[p], *padded);
  }
  if (calls == Calls::in_the_end) {
    padded->compute(steps, cancel);
    for (const DensePair& pair : block.pairs) after(pair, *padded);
  }
  return padded;
}

// The map of the 1 x 1 layer after the block, [1, channel, y, x].
at::Tensor computed_with_pixels(const DenseBlock& block, const PixelLayer& pixels, at::TensorList before,
                                const CancelToken& cancel) {
  const std::vector<std::vector<int64_t>> pixels_after = maps_read_by_group(block, pixels);
  const BufferSlots slots = slots_for(block, pixels_after);
  const auto slot = [&](int64_t map) { return slots.slot_of_map[static_cast<std::size_t>(map)]; };
  std::vector<int64_t> column(static_cast<std::size_t>(block.count), 0);  // of the weight
  for (std::size_t k = 0; k < pixels.inputs.size(); ++k)
    column[static_cast<std::size_t>(pixels.inputs[k])] = static_cast<int64_t>(k);
  const at::Tensor& like = before[0];
  ops::PaddedMaps padded(slots.count + pixels.channels, like.size(2), like.size(3), block.border, like.scalar_type());
  for (int64_t c = 0; c < pixels.channels; ++c) padded.fill(slots.count + c, pixels.bias[c].item<double>());
  put_before(block, before, slot, padded);
  std::vector<ops::DenseStep> steps;
  for (std::size_t g = 0; g < block.groups.size(); ++g) {
    ops::DenseStep step{layers_of(block, g == 0 ? 0 : block.groups[g - 1], block.groups[g], before, slot), {}};
    std::vector<int64_t> inputs, columns;
    for (const int64_t m : pixels_after[g]) {
      inputs.push_back(slot(m));
      columns.push_back(column[static_cast<std::size_t>(m)]);
    }
    if (!inputs.empty())
      step.sum = ops::PixelSum{slots.count, inputs, pixels.weight.index_select(1, at::tensor(columns))};
    steps.push_back(std::move(step));
  }
  padded.compute(steps, cancel);
  return padded.view(slots.count, pixels.channels).unsqueeze(0).contiguous();
}

// What the backward pass needs.
struct DenseState {
  DenseBlock block;
  CancelToken cancel;
  std::shared_ptr<ops::PaddedMaps> maps;
  Tensors tensors;                    // float64, as they were
  std::vector<at::ScalarType> types;  // that they had
  std::vector<bool> wanted;           // which gradients are needed: of the maps before the block, then of the tensors
};

// The rectified maps of every pair.
Tensors compute_and_keep(DenseState& state, const Tensors& before, Calls calls) {
  const at::AutoGradMode off(false);
  Tensors out;
  state.maps =
      computed(state.block, before, state.cancel, calls, [&](const DensePair& pair, const ops::PaddedMaps& maps) {
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
  const Calls calls = options.after_layer ? Calls::one_by_one : Calls::in_the_end;
  if (calls == Calls::one_by_one) {  // called and timed after each pair
    block.groups.resize(block.pairs.size());
    std::iota(block.groups.begin(), block.groups.end(), std::size_t{1});
  }
  std::vector<at::Tensor> before;
  for (const int64_t k : block.before) before.push_back(maps[static_cast<std::size_t>(k)]);
  for (const std::string& name : block.tensors) before.push_back(network.tensors.at(name));
  // Forward-mode derivatives are computed layer by layer.
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
    for (at::Tensor& map : with_gradient(compute_and_keep(*state, before, calls), before, backward))
      give(std::move(map));
  } else {
    if (const auto pixels =
            options.after_layer ? std::nullopt : pixel_layer_after(network, block, first, end, readers)) {
      maps[end] = computed_with_pixels(block, *pixels, before, options.cancel);
      return end + 1;
    }
    computed(block, before, options.cancel, calls, [&](const DensePair& pair, const ops::PaddedMaps& padded) {
      give(padded.view(pair.output, pair.channels).unsqueeze(0));
    });
  }
  return end;
}

}  // namespace tl::net
