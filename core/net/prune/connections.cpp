// Marks channels forward from the input and backward from the output.
#include "core/net/prune/connections.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace tl::net {
namespace {

using Marks = std::vector<std::vector<uint8_t>>;

class Marking {
 public:
  Marking(const Network& network, const EdgeMatrices& kept)
      : network_(network), kept_(kept), channels_(channels_of(network).or_throw()), used_(used_layers(network)) {
    last_filters_ = filter_layers(network).empty() ? 0 : filter_layers(network).back();
    for (const int64_t n : channels_) forward_.emplace_back(static_cast<std::size_t>(n), 0);
    backward_ = forward_;
    std::fill(forward_.front().begin(), forward_.front().end(), 1);
    std::fill(backward_.back().begin(), backward_.back().end(), 1);
    for (std::size_t i = 1; i < used_.size(); ++i)
      if (used_[i]) from_inputs(i);
    for (std::size_t i = used_.size(); i-- > 1;)
      if (used_[i]) to_inputs(i);
  }

  [[nodiscard]] Connections result() const {
    Connections c;
    c.alive = forward_;
    for (std::size_t i = 0; i < c.alive.size(); ++i)
      for (std::size_t k = 0; k < c.alive[i].size(); ++k) c.alive[i][k] &= backward_[i][k];
    for (const std::size_t i : filter_layers(network_)) {
      const Layer& l = network_.layers[i];
      std::vector<uint8_t> in;
      for (const int64_t k : l.inputs) {
        const auto& alive = c.alive[static_cast<std::size_t>(k)];
        in.insert(in.end(), alive.begin(), alive.end());
      }
      const auto mask = [](const std::vector<uint8_t>& marks) { return at::tensor(marks, at::kByte).to(at::kBool); };
      c.edges[l.name] = kept_.at(l.name) & mask(c.alive[i]).unsqueeze(1) & mask(in).unsqueeze(0);
    }
    return c;
  }

 private:
  // Calls the function with (layer, channel of it, channel of layer i) for each channel that layer i reads one to one.
  template <class Function>
  void each_channel(std::size_t i, Function f) const {
    const Layer& l = network_.layers[i];
    std::size_t offset = 0;
    for (std::size_t k = 0; k < l.inputs.size(); ++k) {
      const bool size_only = k > 0 && row_of(l.kind).reads_size();
      if (size_only) break;
      const auto input = static_cast<std::size_t>(l.inputs[k]);
      for (std::size_t c = 0; c < forward_[input].size(); ++c) f(input, c, offset + c);
      if (l.kind == LayerKind::concatenate) offset += forward_[input].size();
    }
  }

  void from_inputs(std::size_t i) {
    const auto found = kept_.find(network_.layers[i].name);
    if (found == kept_.end()) {
      each_channel(
          i, [&](std::size_t input, std::size_t c, std::size_t mine) { forward_[i][mine] |= forward_[input][c]; });
    } else {
      each_edge(i, found->second,
                [&](std::size_t input, std::size_t c, std::size_t out) { forward_[i][out] |= forward_[input][c]; });
    }
    if (i == last_filters_) std::fill(forward_[i].begin(), forward_[i].end(), 1);
  }

  void to_inputs(std::size_t i) {
    const auto found = kept_.find(network_.layers[i].name);
    if (found == kept_.end()) {
      each_channel(
          i, [&](std::size_t input, std::size_t c, std::size_t mine) { backward_[input][c] |= backward_[i][mine]; });
    } else {
      each_edge(i, found->second,
                [&](std::size_t input, std::size_t c, std::size_t out) { backward_[input][c] |= backward_[i][out]; });
    }
  }

  template <class Function>
  void each_edge(std::size_t i, const at::Tensor& matrix, Function f) const {
    const at::Tensor kept = matrix.contiguous();
    const bool* edge = kept.const_data_ptr<bool>();
    for (int64_t out = 0; out < kept.size(0); ++out)
      for (const int64_t k : network_.layers[i].inputs) {
        const auto input = static_cast<std::size_t>(k);
        for (std::size_t c = 0; c < forward_[input].size(); ++c)
          if (*edge++) f(input, c, static_cast<std::size_t>(out));
      }
  }

  const Network& network_;
  const EdgeMatrices& kept_;
  std::vector<int64_t> channels_;
  std::vector<bool> used_;
  std::size_t last_filters_ = 0;
  Marks forward_, backward_;
};

}  // namespace

Connections connections(const Network& network, const EdgeMatrices& kept) { return Marking(network, kept).result(); }

Network with_zeros(const Network& network, const Connections& c) {
  Network zeroed = network;
  const std::vector<bool> used = used_layers(network);
  // Once per tensor: several layers may share a tensor of biases.
  for (auto& [name, tensor] : zeroed.tensors) tensor = tensor.detach().clone();
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Layer& l = network.layers[i];
    if (!used[i]) continue;
    const at::Tensor alive = at::tensor(c.alive[i], at::kByte);
    const auto keep_alive = [&](const std::string& name, int64_t first) {
      at::Tensor part = zeroed.tensors.at(name).narrow(0, first, alive.numel());
      part.mul_(alive.to(part.scalar_type()));
    };
    if (const auto edges = c.edges.find(l.name); edges != c.edges.end()) {
      at::Tensor filters = filters_of(zeroed, l);
      std::vector<int64_t> shape = edges->second.sizes().vec();
      shape.resize(static_cast<std::size_t>(filters.dim()), 1);
      zeroed.tensors[l.weight] =
          in_file_layout(zeroed, l, filters * edges->second.view(shape).to(filters.scalar_type()));
      if (!l.bias.empty()) keep_alive(l.bias, l.bias_offset);
    } else if (l.kind == LayerKind::batch_norm) {
      keep_alive(l.weight, 0);
      keep_alive(l.bias, 0);
    }
  }
  return zeroed;
}

}  // namespace tl::net
