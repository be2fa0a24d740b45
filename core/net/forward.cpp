// Computes layers in their order, and frees each map once no layer reads it any more.
#include "core/net/forward.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "core/net/counts.h"
#include "core/net/dense_block.h"
#include "core/net/layer_forward.h"
#include "gpu/image/mirrored_index.h"

namespace tl::net {
namespace {

class Interpreter {
 public:
  Interpreter(const Network& network, const at::Tensor& input, const ForwardOptions& options)
      : network_(network),
        options_(options),
        maps_(network.layers.size()),
        type_(input.options()),
        dims_(network.dims) {
    const std::vector<bool> used = used_layers(network);
    last_.assign(network.layers.size(), 0);
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i])
        for (const int64_t k : network.layers[i].inputs) last_[static_cast<std::size_t>(k)] = i;
    std::vector<int64_t> readers(used.size(), 0);
    for (const Layer& l : network.layers)
      for (const int64_t k : l.inputs) ++readers[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < used.size();) {
      const std::size_t first = i;
      if (used[i] && i > 0) i = compute_dense_block(network, i, readers, maps_, options);
      if (i == first) compute(i++, used, input);
      for (std::size_t k = first; k < i; ++k) release(k);
    }
  }
  at::Tensor result() { return maps_.back(); }

 private:
  void compute(std::size_t i, const std::vector<bool>& used, const at::Tensor& input) {
    if (!used[i]) return;
    if (options_.cancel.cancelled()) throw Failure(cancelled());
    maps_[i] = i == 0 ? scaled(input) : layer(network_.layers[i], i);
    if (options_.after_layer) options_.after_layer(i, maps_[i]);
  }
  // Frees maps that no layer after this one reads.
  void release(std::size_t i) {
    for (const int64_t k : network_.layers[i].inputs)
      if (last_[static_cast<std::size_t>(k)] == i) maps_[static_cast<std::size_t>(k)].reset();
  }

  at::Tensor scaled(const at::Tensor& input) const {
    const InputScaling& s = network_.scaling;
    if (s.mean.empty()) return input;
    std::vector<int64_t> shape(static_cast<std::size_t>(dims_) + 2, 1);
    shape[1] = static_cast<int64_t>(s.mean.size());
    const auto of = [&](const std::vector<double>& v) { return at::tensor(v, at::kDouble).to(type_).view(shape); };
    return (input - of(s.mean)) / of(s.deviation);
  }
  // Without gradients, and if no other layer reads it.
  [[nodiscard]] bool may_overwrite(const Layer& l, std::size_t i) const {
    const auto k = static_cast<std::size_t>(l.inputs[0]);
    return k > 0 && last_[k] == i && !at::GradMode::is_enabled() &&
           row_of(network_.layers[k].kind).size != SizeRule::cropped;  // a part of another map
  }

  at::Tensor layer(const Layer& l, std::size_t i) const {
    return row_of(l.kind).compute({network_, l, maps_, type_, options_.statistics, may_overwrite(l, i)});
  }

  const Network& network_;
  const ForwardOptions& options_;
  std::vector<at::Tensor> maps_;
  std::vector<std::size_t> last_;  // index of the last layer that reads each map
  at::TensorOptions type_;
  int64_t dims_;
};

}  // namespace

at::Tensor mirrored(const at::Tensor& map, int64_t dims, int64_t by) {
  at::Tensor x = map;
  for (int64_t axis = x.dim() - dims; axis < x.dim(); ++axis) {
    const int64_t n = x.size(axis);
    std::vector<int64_t> index;
    for (int64_t i = -by; i < n + by; ++i) index.push_back(ops::mirrored_index(i, n));
    x = x.index_select(axis, at::tensor(index, at::kLong).to(x.device()));
  }
  return x;
}

at::Tensor forward(const Network& network, const at::Tensor& input, const ForwardOptions& options) {
  TL_CHECK(input.dim() == network.dims + 2, "an input of [n, channel, axes of space]");
  if (input.size(1) != network.layers.front().channels)
    throw Failure(invalid("the network takes " + std::to_string(network.layers.front().channels) + " channels, not " +
                              std::to_string(input.size(1)),
                          network.architecture));
  layer_sizes(network, input.sizes().slice(2).vec()).or_throw();
  return Interpreter(network, input, options).result();
}

at::Tensor probabilities(const Network& network, const at::Tensor& map) {
  if (network.layers.back().kind == LayerKind::softmax) return map;
  if (map.size(1) > 1) return at::softmax(map, 1);
  const at::Tensor p = at::sigmoid(map);
  return at::cat({1 - p, p}, 1);
}

}  // namespace tl::net
