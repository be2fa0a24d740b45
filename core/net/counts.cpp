// Walks the layers of a network and adds up.
#include "core/net/counts.h"

#include <algorithm>
#include <cmath>

namespace tl::net {
namespace {

double pixels(const Size& size) {
  double count = 1;
  for (const int64_t n : size) count *= static_cast<double>(n);
  return count;
}

std::string not_divisible(int64_t n, int64_t by) {
  return by == 2 ? std::to_string(n) + " is odd" : std::to_string(n) + " is not a multiple of " + std::to_string(by);
}

// Number of pixels along one axis after a convolution or a pooling of n pixels.
Result<int64_t> behind_window(const Layer& l, int64_t n) {
  const int64_t window = l.dilation * (l.kernel - 1) + 1, padded = n + 2 * l.padding;
  if (row_of(l.kind).size == SizeRule::pooled && l.kernel > 1 && l.stride == l.kernel && l.padding == 0 &&
      n % l.stride != 0)
    return invalid(not_divisible(n, l.stride), l.name, "Give an input of another size");
  if (padded < window)
    return invalid(
        "a map of " + std::to_string(n) + " pixels is smaller than the kernel, which spans " + std::to_string(window),
        l.name, "Give a larger input");
  return (padded - window) / l.stride + 1;
}

Result<int64_t> size_behind(const Layer& l, int64_t n, int64_t second) {
  switch (row_of(l.kind).size) {
    case SizeRule::same: break;
    case SizeRule::window:
    case SizeRule::pooled: return behind_window(l, n);
    case SizeRule::squares: return n * l.stride;
    case SizeRule::resized: return second > 0 ? second : n * l.stride;
    case SizeRule::cropped:
      if (second > n)
        return invalid("a map of " + std::to_string(n) + " pixels cannot be cropped to " + std::to_string(second),
                       l.name, "Give an input of another size");
      return second;
    case SizeRule::one:
      if (n != l.kernel)
        return invalid("the map has " + std::to_string(n) + " pixels along an axis, the weights are for " +
                           std::to_string(l.kernel),
                       l.name, "Give an input of another size, or convert the network to sk");
      return 1;
  }
  return n;
}

}  // namespace

Result<Counts> counts_of(const Network& network) {
  TL_TRY(const auto channels, channels_of(network));
  TL_TRY(const auto shapes, tensor_shapes(network));
  Counts c;
  const auto numel = [](const std::vector<int64_t>& shape) {
    int64_t n = 1;
    for (const int64_t s : shape) n *= s;
    return n;
  };
  for (const Layer& l : network.layers) {
    if (l.kind == LayerKind::batch_norm) {
      c.biases += numel(shapes.at(l.weight)) + numel(shapes.at(l.bias));
    } else if (!l.weight.empty()) {
      const int64_t edges = l.channels * input_channels(l, channels);
      c.weights += numel(shapes.at(l.weight));
      c.biases += l.bias.empty() ? 0 : l.channels;
      c.edges += edges;
      c.edges_by_kernel[l.kernel] += edges;
    }
  }
  return c;
}

Result<std::vector<Size>> layer_sizes(const Network& network, const Size& input) {
  TL_CHECK(input.size() == static_cast<std::size_t>(network.dims), "a size for each axis");
  constexpr int64_t longest = int64_t{1} << 31;
  std::vector<Size> sizes;
  for (const Layer& l : network.layers) {
    if (l.kind == LayerKind::input) {
      sizes.push_back(input);
      continue;
    }
    const auto of = [&](std::size_t k) -> const Size& { return sizes[static_cast<std::size_t>(l.inputs[k])]; };
    Size size = of(0);
    const bool of_second = row_of(l.kind).reads_size();
    for (std::size_t axis = 0; axis < size.size(); ++axis) {
      TL_TRY(size[axis], size_behind(l, size[axis], of_second && l.inputs.size() > 1 ? of(1)[axis] : 0));
      if (size[axis] > longest) return invalid("a map is too large", l.name, "Give a smaller input");
    }
    for (std::size_t k = 1; k < l.inputs.size() && !of_second; ++k)
      if (of(k) != of(0))
        return invalid("maps of " + std::to_string(of(0).back()) + " and " + std::to_string(of(k).back()) +
                           " pixels do not fit together",
                       l.name, "Give an input of another size");
    sizes.push_back(std::move(size));
  }
  return sizes;
}

std::vector<double> operations(const Network& network, const std::vector<int64_t>& channels,
                               const std::vector<Size>& sizes) {
  std::vector<double> all;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& l = network.layers[i];
    const auto in = static_cast<double>(input_channels(l, channels)), out = static_cast<double>(channels[i]);
    const double window = std::pow(static_cast<double>(l.kernel), static_cast<double>(network.dims));
    const LayerKindRow& row = row_of(l.kind);
    const double products = in * (row.size == SizeRule::squares ? 1 : window);
    all.push_back(row.has_filters() ? out * pixels(sizes[i]) * (2 * products - 1) : 0);
  }
  return all;
}

double bytes_of_maps(const Network& network, const std::vector<int64_t>& channels, const std::vector<Size>& sizes,
                     int64_t element_size) {
  double sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (!row_of(network.layers[i].kind).in_place) sum += static_cast<double>(channels[i]) * pixels(sizes[i]);
  return sum * static_cast<double>(element_size);
}

double peak_bytes(const Network& network, const std::vector<int64_t>& channels, const std::vector<Size>& sizes,
                  int64_t element_size) {
  const std::vector<bool> used = used_layers(network);
  std::vector<std::size_t> last(sizes.size(), 0);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (used[i])
      for (const int64_t k : network.layers[i].inputs) last[static_cast<std::size_t>(k)] = i;
  const auto numbers = [&](std::size_t i) { return static_cast<double>(channels[i]) * pixels(sizes[i]); };
  double live = 0, peak = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!used[i]) continue;
    const Layer& l = network.layers[i];
    const bool takes_over = row_of(l.kind).in_place && last[static_cast<std::size_t>(l.inputs[0])] == i;
    live += takes_over ? 0 : numbers(i);
    double copies = 0;  // elements of concatenated inputs, and of inputs with added border
    if (!l.inputs.empty()) {
      Size padded = sizes[static_cast<std::size_t>(l.inputs[0])];
      for (int64_t& n : padded) n += 2 * l.padding;
      const auto in = static_cast<double>(input_channels(l, channels));
      if (l.inputs.size() > 1) copies += in * pixels(sizes[static_cast<std::size_t>(l.inputs[0])]);
      if (l.padding > 0) copies += 2 * in * pixels(padded);
    }
    peak = std::max(peak, live + copies);
    for (const int64_t k : l.inputs)
      if (last[static_cast<std::size_t>(k)] == i) {
        live -= takes_over ? 0 : numbers(static_cast<std::size_t>(k));
        last[static_cast<std::size_t>(k)] = sizes.size();  // an input that occurs twice counts once
      }
  }
  return peak * static_cast<double>(element_size);
}

}  // namespace tl::net
