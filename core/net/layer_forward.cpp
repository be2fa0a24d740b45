// One ATen call per kind of layer.
#include "core/net/layer_forward.h"

#include <ATen/ATen.h>

namespace tl::net {
namespace {

constexpr double followed_share = 0.1;

at::Tensor tensor(const LayerInputs& in, const std::string& name) {
  return name.empty() ? at::Tensor() : in.network.tensors.at(name).to(in.type);
}
const at::Tensor& map(const LayerInputs& in, std::size_t k) {
  return in.maps[static_cast<std::size_t>(in.layer.inputs[k])];
}
// One number per axis.
std::vector<int64_t> each(const LayerInputs& in, int64_t n) {
  return std::vector<int64_t>(static_cast<std::size_t>(in.network.dims), n);
}

}  // namespace

at::Tensor concatenated(const LayerInputs& in) {
  if (in.layer.inputs.size() == 1) return map(in, 0);
  std::vector<at::Tensor> parts;
  for (std::size_t k = 0; k < in.layer.inputs.size(); ++k) parts.push_back(map(in, k));
  return at::cat(parts, 1);
}

at::Tensor convolved_maps(const LayerInputs& in) {
  const Layer& l = in.layer;
  at::Tensor x = concatenated(in);
  const bool mirrors = l.border == Border::mirrored && l.padding > 0;
  if (mirrors) x = mirrored(x, in.network.dims, l.padding);
  at::Tensor bias = tensor(in, l.bias);
  if (bias.defined()) bias = bias.narrow(0, l.bias_offset, l.channels);
  return at::convolution(x, tensor(in, l.weight), bias, each(in, l.stride), each(in, mirrors ? 0 : l.padding),
                         each(in, l.dilation), false, each(in, 0), 1);
}

at::Tensor convolved_transposed(const LayerInputs& in) {
  const Layer& l = in.layer;
  return at::convolution(concatenated(in), tensor(in, l.weight), tensor(in, l.bias), each(in, l.stride), each(in, 0),
                         each(in, 1), true, each(in, 0), 1);
}

at::Tensor pooled_maximum(const LayerInputs& in) {
  const auto kernel = each(in, in.layer.kernel), stride = each(in, in.layer.stride),
             padding = each(in, in.layer.padding), dilation = each(in, in.layer.dilation);
  return in.network.dims == 2 ? at::max_pool2d(map(in, 0), kernel, stride, padding, dilation)
                              : at::max_pool3d(map(in, 0), kernel, stride, padding, dilation);
}

at::Tensor pooled_mean(const LayerInputs& in) {
  const auto kernel = each(in, in.layer.kernel), stride = each(in, in.layer.stride);
  return in.network.dims == 2 ? at::avg_pool2d(map(in, 0), kernel, stride) : at::avg_pool3d(map(in, 0), kernel, stride);
}

at::Tensor normalised(const LayerInputs& in) {
  const Layer& l = in.layer;
  return at::batch_norm(map(in, 0), tensor(in, l.weight), tensor(in, l.bias), tensor(in, l.mean),
                        tensor(in, l.variance), in.statistics == BatchStatistics::of_batch, followed_share, l.epsilon,
                        false);
}

at::Tensor rectified(const LayerInputs& in) {
  at::Tensor x = map(in, 0);
  return in.may_overwrite ? at::relu_(x) : at::relu(x);
}

at::Tensor added(const LayerInputs& in) {
  at::Tensor sum = map(in, 0) + map(in, 1);
  for (std::size_t k = 2; k < in.layer.inputs.size(); ++k) sum = sum + map(in, k);
  return sum;
}

at::Tensor middle_part(const LayerInputs& in) {
  at::Tensor x = map(in, 0);
  for (int64_t axis = 2; axis < in.network.dims + 2; ++axis) {
    const int64_t length = map(in, 1).size(axis);
    x = x.narrow(axis, (x.size(axis) - length) / 2, length);
  }
  return x;
}

at::Tensor interpolated(const LayerInputs& in) {
  const at::Tensor& x = map(in, 0);
  const bool to_second = in.layer.inputs.size() > 1, is_plane = in.network.dims == 2;
  std::vector<int64_t> size;
  for (int64_t axis = 2; axis < in.network.dims + 2; ++axis)
    size.push_back(to_second ? map(in, 1).size(axis) : x.size(axis) * in.layer.stride);
  if (in.layer.interpolation == Interpolation::nearest)
    return is_plane ? at::upsample_nearest2d(x, size) : at::upsample_nearest3d(x, size);
  return is_plane ? at::upsample_bilinear2d(x, size, false) : at::upsample_trilinear3d(x, size, false);
}

at::Tensor unchanged_map(const LayerInputs& in) { return map(in, 0); }

at::Tensor multiplied(const LayerInputs& in) {
  const at::Tensor x = concatenated(in).flatten(1);
  std::vector<int64_t> shape{x.size(0), in.layer.channels};
  shape.insert(shape.end(), static_cast<std::size_t>(in.network.dims), 1);
  return at::linear(x, tensor(in, in.layer.weight), tensor(in, in.layer.bias)).view(shape);
}

at::Tensor softmax_of_channels(const LayerInputs& in) { return at::softmax(map(in, 0), 1); }

}  // namespace tl::net
