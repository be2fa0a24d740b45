// Finds dense blocks, and assigns memory slots to their maps in the order of computation.
#include "core/net/dense_plan.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tl::net {
namespace {

bool has_loop(const at::Tensor& map) {
  return map.defined() && map.device().is_cpu() && map.dim() == 4 && map.size(0) == 1 &&
         (map.scalar_type() == at::kFloat || map.scalar_type() == at::kDouble);
}

std::size_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

// Whether a pair can be computed together with the last group of a block.
bool joins(const DenseBlock& block, const DensePair& pair) {
  constexpr int64_t max_channels = 10;
  constexpr std::size_t many = 16;  // number of inputs: fewer stay in the cache
  const std::size_t first = block.groups.size() > 1 ? block.groups[block.groups.size() - 2] : 0;
  int64_t channels = pair.channels;
  for (std::size_t p = first; p < block.groups.back(); ++p) {
    if (block.pairs[p].inputs.size() < many) return false;
    channels += block.pairs[p].channels;
  }
  return pair.inputs.size() >= many && channels <= max_channels;
}

bool is_of_single_pixels(const Layer& l) {
  return l.kind == LayerKind::convolution && l.kernel == 1 && l.stride == 1 && l.padding == 0;
}

}  // namespace

bool is_dense_pair(const Network& network, std::size_t i, const std::vector<int64_t>& readers) {
  if (i + 1 >= network.layers.size()) return false;
  const Layer &conv = network.layers[i], &relu = network.layers[i + 1];
  constexpr int64_t edge = 3, longest_dilation = 64;  // for larger dilations, mirrored ends would fill the memory
  return conv.kind == LayerKind::convolution && conv.kernel == edge && conv.stride == 1 &&
         conv.border == Border::mirrored && conv.padding == conv.dilation && conv.dilation <= longest_dilation &&
         relu.kind == LayerKind::relu && relu.inputs[0] == static_cast<int64_t>(i) && readers[i] == 1;
}

DenseBlock block_at(const Network& network, std::size_t first, const std::vector<int64_t>& readers,
                    const std::vector<at::Tensor>& maps) {
  DenseBlock block;
  const at::Tensor like = maps[static_cast<std::size_t>(network.layers[first].inputs[0])];
  std::map<int64_t, int64_t> place, channels;  // by layer: first index among the padded maps; number of channels
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
    if (!block.groups.empty() && joins(block, pair)) block.groups.pop_back();
    block.groups.push_back(block.pairs.size() + 1);
    block.pairs.push_back(std::move(pair));
  }
  return block;
}

std::optional<PixelLayer> pixel_layer_after(const Network& network, const DenseBlock& block, std::size_t first,
                                            std::size_t end, const std::vector<int64_t>& readers) {
  if (end >= network.layers.size() || !is_of_single_pixels(network.layers[end])) return std::nullopt;
  const Layer& l = network.layers[end];
  std::map<int64_t, int64_t> reads, place, channels;  // number of readers within the block and in all; by layer
  for (std::size_t k = 0; k < block.before.size(); ++k) {
    place[block.before[k]] = block.before_place[k];
    channels[block.before[k]] = block.before_channels[k];
  }
  for (std::size_t p = 0; p < block.pairs.size(); ++p) {
    const std::size_t relu = first + 2 * p + 1;
    place[static_cast<int64_t>(relu)] = block.pairs[p].output;
    channels[static_cast<int64_t>(relu)] = block.pairs[p].channels;
    for (const int64_t k : network.layers[relu - 1].inputs) ++reads[k];
  }
  PixelLayer pixels;
  for (const int64_t k : l.inputs) {
    if (place.count(k) == 0 || std::count(l.inputs.begin(), l.inputs.end(), k) > 1) return std::nullopt;
    ++reads[k];
    for (int64_t c = 0; c < channels[k]; ++c) pixels.inputs.push_back(place[k] + c);
  }
  for (std::size_t i = first; i < end; ++i)
    if (i % 2 != first % 2 && readers[i] != reads[static_cast<int64_t>(i)]) return std::nullopt;
  pixels.channels = l.channels;
  pixels.weight = network.tensors.at(l.weight).detach().to(at::kDouble).flatten(1);
  pixels.bias = l.bias.empty()
                    ? at::zeros({l.channels}, at::kDouble)
                    : network.tensors.at(l.bias).detach().narrow(0, l.bias_offset, l.channels).to(at::kDouble);
  return pixels;
}

std::vector<std::vector<int64_t>> maps_read_by_group(const DenseBlock& block, const PixelLayer& pixels) {
  constexpr std::size_t at_a_time = 8;
  std::vector<bool> read(static_cast<std::size_t>(block.count), false);
  for (const int64_t m : pixels.inputs) read[static_cast<std::size_t>(m)] = true;
  std::vector<std::vector<int64_t>> after(block.groups.size());
  std::vector<int64_t> waiting;
  const auto made = [&](int64_t map) {
    if (read[static_cast<std::size_t>(map)]) waiting.push_back(map);
  };
  for (std::size_t k = 0; k < block.before.size(); ++k)
    for (int64_t c = 0; c < block.before_channels[k]; ++c) made(block.before_place[k] + c);
  for (std::size_t g = 0, p = 0; g < block.groups.size(); ++g) {
    for (; p < block.groups[g]; ++p)
      for (int64_t c = 0; c < block.pairs[p].channels; ++c) made(block.pairs[p].output + c);
    if (waiting.size() >= at_a_time || g + 1 == block.groups.size()) after[g] = std::exchange(waiting, {});
  }
  return after;
}

BufferSlots slots_for(const DenseBlock& block, const std::vector<std::vector<int64_t>>& pixels_after) {
  const std::size_t begin = block.groups.size();  // index of the first group
  std::vector<std::size_t> made(static_cast<std::size_t>(block.count), begin), last(made.size(), 0);
  for (std::size_t g = 0, p = 0; g < block.groups.size(); ++g) {
    for (; p < block.groups[g]; ++p) {
      for (int64_t c = 0; c < block.pairs[p].channels; ++c) {
        made[static_cast<std::size_t>(block.pairs[p].output + c)] = g;
        last[static_cast<std::size_t>(block.pairs[p].output + c)] = g;
      }
      for (const int64_t m : block.pairs[p].inputs) last[static_cast<std::size_t>(m)] = g;
    }
    for (const int64_t m : pixels_after[g]) last[static_cast<std::size_t>(m)] = g;
  }
  BufferSlots slots{std::vector<int64_t>(made.size(), 0), 0};
  std::vector<int64_t> free;
  const auto take = [&](std::size_t map) {
    if (free.empty()) free.push_back(slots.count++);
    slots.slot_of_map[map] = free.back();
    free.pop_back();
  };
  for (std::size_t m = 0; m < made.size(); ++m)
    if (made[m] == begin) take(m);
  for (std::size_t g = 0; g < block.groups.size(); ++g) {
    for (std::size_t m = 0; m < made.size(); ++m)
      if (made[m] == g) take(m);
    for (std::size_t m = 0; m < made.size(); ++m)
      if (last[m] == g) free.push_back(slots.slot_of_map[m]);
  }
  return slots;
}

}  // namespace tl::net
