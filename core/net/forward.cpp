// One ATen call per layer.
#include "core/net/forward.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "core/net/counts.h"
#include "core/net/dense_block.h"
#include "gpu/image/mirrored_index.h"

namespace tl::net {
namespace {

constexpr double followed_share = 0.1;

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
  // What no layer behind this one reads.
  void release(std::size_t i) {
    for (const int64_t k : network_.layers[i].inputs)
      if (last_[static_cast<std::size_t>(k)] == i) maps_[static_cast<std::size_t>(k)].reset();
  }

  at::Tensor tensor(const std::string& name) const {
    return name.empty() ? at::Tensor() : network_.tensors.at(name).to(type_);
  }
  at::Tensor scaled(const at::Tensor& input) const {
    const InputScaling& s = network_.scaling;
    if (s.mean.empty()) return input;
    std::vector<int64_t> shape(static_cast<std::size_t>(dims_) + 2, 1);
    shape[1] = static_cast<int64_t>(s.mean.size());
    const auto of = [&](const std::vector<double>& v) { return at::tensor(v, at::kDouble).to(type_).view(shape); };
    return (input - of(s.mean)) / of(s.deviation);
  }
  at::Tensor map(const Layer& l, std::size_t k) const { return maps_[static_cast<std::size_t>(l.inputs[k])]; }
  at::Tensor joined(const Layer& l) const {
    if (l.inputs.size() == 1) return map(l, 0);
    std::vector<at::Tensor> parts;
    for (std::size_t k = 0; k < l.inputs.size(); ++k) parts.push_back(map(l, k));
    return at::cat(parts, 1);
  }
  // One number per axis.
  [[nodiscard]] std::vector<int64_t> each(int64_t n) const {
    return std::vector<int64_t>(static_cast<std::size_t>(dims_), n);
  }
  // Without gradients, and if no other layer reads it.
  [[nodiscard]] bool may_overwrite(const Layer& l, std::size_t i) const {
    const auto k = static_cast<std::size_t>(l.inputs[0]);
    return k > 0 && last_[k] == i && !at::GradMode::is_enabled() &&
           network_.layers[k].kind != LayerKind::crop;  // a part of another map
  }

  at::Tensor convolved(const Layer& l) const {
    at::Tensor x = joined(l);
    const bool mirrors = l.border == Border::mirrored && l.padding > 0;
    if (mirrors) x = mirrored(x, dims_, l.padding);
    at::Tensor bias = tensor(l.bias);
    if (bias.defined()) bias = bias.narrow(0, l.bias_offset, l.channels);
    return at::convolution(x, tensor(l.weight), bias, each(l.stride), each(mirrors ? 0 : l.padding), each(l.dilation),
                           false, each(0), 1);
  }

  at::Tensor pooled(const Layer& l) const {
    const at::Tensor x = map(l, 0);
    if (l.kind == LayerKind::average_pool)
      return dims_ == 2 ? at::avg_pool2d(x, each(l.kernel), each(l.stride))
                        : at::avg_pool3d(x, each(l.kernel), each(l.stride));
    return dims_ == 2 ? at::max_pool2d(x, each(l.kernel), each(l.stride), each(l.padding), each(l.dilation))
                      : at::max_pool3d(x, each(l.kernel), each(l.stride), each(l.padding), each(l.dilation));
  }

  at::Tensor cropped(const Layer& l) const {
    at::Tensor x = map(l, 0);
    for (int64_t axis = 2; axis < dims_ + 2; ++axis) {
      const int64_t length = map(l, 1).size(axis);
      x = x.narrow(axis, (x.size(axis) - length) / 2, length);
    }
    return x;
  }

  at::Tensor resized(const Layer& l) const {
    const at::Tensor x = map(l, 0);
    const bool to_second = l.inputs.size() > 1;
    std::vector<int64_t> size;
    for (int64_t axis = 2; axis < dims_ + 2; ++axis)
      size.push_back(to_second ? map(l, 1).size(axis) : x.size(axis) * l.stride);
    if (l.interpolation == Interpolation::nearest)
      return dims_ == 2 ? at::upsample_nearest2d(x, size) : at::upsample_nearest3d(x, size);
    return dims_ == 2 ? at::upsample_bilinear2d(x, size, false) : at::upsample_trilinear3d(x, size, false);
  }

  at::Tensor layer(const Layer& l, std::size_t i) const {
    switch (l.kind) {
      case LayerKind::input:
        break;
      case LayerKind::convolution:
        return convolved(l);
      case LayerKind::transposed_convolution:
        return at::convolution(joined(l), tensor(l.weight), tensor(l.bias), each(l.stride), each(0), each(1), true,
                               each(0), 1);
      case LayerKind::max_pool:
      case LayerKind::average_pool:
        return pooled(l);
      case LayerKind::batch_norm:
        return at::batch_norm(map(l, 0), tensor(l.weight), tensor(l.bias), tensor(l.mean), tensor(l.variance),
                              options_.statistics == BatchStatistics::of_batch, followed_share, l.epsilon, false);
      case LayerKind::relu: {
        at::Tensor x = map(l, 0);
        return may_overwrite(l, i) ? at::relu_(x) : at::relu(x);
      }
      case LayerKind::concatenate:
        return joined(l);
      case LayerKind::add: {
        at::Tensor sum = map(l, 0) + map(l, 1);
        for (std::size_t k = 2; k < l.inputs.size(); ++k) sum = sum + map(l, k);
        return sum;
      }
      case LayerKind::crop:
        return cropped(l);
      case LayerKind::resize:
        return resized(l);
      case LayerKind::dropout:
        return map(l, 0);
      case LayerKind::inner_product: {
        const at::Tensor x = joined(l).flatten(1);
        std::vector<int64_t> shape{x.size(0), l.channels};
        shape.insert(shape.end(), static_cast<std::size_t>(dims_), 1);
        return at::linear(x, tensor(l.weight), tensor(l.bias)).view(shape);
      }
      case LayerKind::softmax:
        return at::softmax(map(l, 0), 1);
    }
    TL_CHECK(false, "a layer of an unknown kind");
    return {};
  }

  const Network& network_;
  const ForwardOptions& options_;
  std::vector<at::Tensor> maps_;
  std::vector<std::size_t> last_;  // layer that reads a map last
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
