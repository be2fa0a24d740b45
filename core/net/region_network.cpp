// Convolutions in polar coordinates.
#include "core/net/region_network.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>

#include "core/base/random.h"

namespace tl::net {
namespace {

struct PolarConvolution {
  int64_t in, out, kernel, ring_stride, angle_stride;
};
constexpr std::array<PolarConvolution, 4> convolutions{
    {{1, 16, 5, 1, 2}, {16, 32, 3, 2, 2}, {32, 64, 3, 2, 1}, {64, 64, 3, 1, 1}}};

// With as many zeros beyond the innermost and outermost ring as the kernel reaches.
int64_t rings_after(int64_t rings) {
  for (const PolarConvolution& c : convolutions) rings = (rings - 1) / c.ring_stride + 1;
  return rings;
}

at::Tensor normal_weights(const std::vector<int64_t>& shape, int64_t read, uint64_t seed, uint64_t stream) {
  at::Tensor weights = at::empty(shape, at::kFloat);
  const Philox random{seed, stream};
  const double deviation = std::sqrt(2 / static_cast<double>(read));
  auto* w = weights.mutable_data_ptr<float>();
  for (int64_t i = 0; i < weights.numel(); ++i)
    w[i] = static_cast<float>(deviation * random.normal(static_cast<uint64_t>(i)));
  return weights;
}

std::string tensor_name(std::size_t layer, const char* what) { return "convolution_" + std::to_string(layer) + what; }

}  // namespace

NamedTensors new_region_network(int64_t rings, int64_t regions, uint64_t seed) {
  NamedTensors all;
  for (std::size_t i = 0; i < convolutions.size(); ++i) {
    const PolarConvolution& c = convolutions.at(i);
    all[tensor_name(i, ".weight")] =
        normal_weights({c.out, c.in, c.kernel, c.kernel}, c.in * c.kernel * c.kernel, seed, i);
    all[tensor_name(i, ".bias")] = at::zeros({c.out}, at::kFloat);
  }
  const int64_t numbers = 2 * convolutions.back().out * rings_after(rings);
  all["scores.weight"] = normal_weights({regions, numbers}, numbers, seed, convolutions.size());
  all["scores.bias"] = at::zeros({regions}, at::kFloat);
  return all;
}

at::Tensor region_scores(const NamedTensors& network, const at::Tensor& images) {
  at::Tensor map = images.unsqueeze(1);
  for (std::size_t i = 0; i < convolutions.size(); ++i) {
    const PolarConvolution& c = convolutions.at(i);
    const int64_t reach = c.kernel / 2, angles = map.size(3);
    map = at::cat({map.narrow(3, angles - reach, reach), map, map.narrow(3, 0, reach)}, 3);
    // oneDNN's convolutions, which at::conv2d takes, wait for each other for ever within a parallel loop.
    map = at::thnn_conv2d(map, network.at(tensor_name(i, ".weight")), at::IntArrayRef({c.kernel, c.kernel}),
                          network.at(tensor_name(i, ".bias")), at::IntArrayRef({c.ring_stride, c.angle_stride}),
                          at::IntArrayRef({reach, 0}));
    map = at::relu(map);
  }
  const at::Tensor numbers = at::cat({map.mean(3), map.amax(3)}, 1).flatten(1);
  return at::linear(numbers, network.at("scores.weight"), network.at("scores.bias"));
}

}  // namespace tl::net
