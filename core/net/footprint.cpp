// Computes the receptive field and alignment of a network from its layers' strides and kernels.
#include "core/net/footprint.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tl::net {
namespace {

// Distance in input pixels between neighbouring pixels of a layer's map: a fraction in lowest terms.
struct Step {
  int64_t up = 1, down = 1;
  [[nodiscard]] double value() const { return static_cast<double>(up) / static_cast<double>(down); }
  [[nodiscard]] Step times(int64_t a, int64_t b) const {
    const int64_t n = up * a, d = down * b, g = std::gcd(n, d);
    return {n / g, d / g};
  }
  bool operator==(const Step&) const = default;
};

// The map's pixel j depends on the input from step * j + low to step * j + high.
struct Window {
  Step step;
  double low = 0, high = 0;
};

constexpr int64_t largest_alignment = 4096;

Error no_map(const Network& network, const std::string& what) {
  return invalid(
      what, network.architecture.empty() ? "network" : network.architecture,
      "Choose a network that gives a value for every pixel; a classifier of whole windows becomes one when it is "
      "converted to sk");
}

Window behind_resize(const Layer& l, Window w, Step step) {
  const double before = w.step.value(), now = step.value(), factor = before / now;
  if (l.interpolation == Interpolation::nearest) return {step, w.low - now * (factor - 1), w.high};
  return {step, w.low + before * (0.5 / factor - 1.5), w.high + before * (0.5 / factor + 0.5)};
}

// Every step grows and shrinks by small factors; a file could ask for thousands of them.
bool too_large(const Step& s) { return s.up > largest_alignment || s.down > largest_alignment; }

Result<std::vector<Window>> windows_of(const Network& network, const std::vector<Size>& sizes) {
  std::vector<Window> all;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& l = network.layers[i];
    if (i == 0) {
      all.push_back({});
      continue;
    }
    const auto input = [&](std::size_t k) -> const Window& { return all[static_cast<std::size_t>(l.inputs[k])]; };
    const auto size = [&](std::size_t k) { return sizes[static_cast<std::size_t>(l.inputs[k])].back(); };
    Window w = input(0);
    const double step = w.step.value();
    const SizeRule rule = row_of(l.kind).size;
    if (!row_of(l.kind).reads_size())
      for (const int64_t k : l.inputs) {
        const Window& of = all[static_cast<std::size_t>(k)];
        w.low = std::min(w.low, of.low);
        w.high = std::max(w.high, of.high);
        if (!(of.step == input(0).step))
          return no_map(network, "layer " + l.name + " joins maps of different resolution");
      }
    if (row_of(l.kind).has_window() || rule == SizeRule::one) {
      w.low -= step * static_cast<double>(l.padding);
      w.high += step * static_cast<double>(l.dilation * (l.kernel - 1) - l.padding);
      w.step = w.step.times(l.stride, 1);
    } else if (rule == SizeRule::squares) {
      w = behind_resize(Layer{}, w, w.step.times(1, l.stride));
    } else if (rule == SizeRule::resized) {
      w = behind_resize(l, w, l.inputs.size() > 1 ? input(1).step : w.step.times(1, l.stride));
    } else if (rule == SizeRule::cropped) {
      const double cut = std::floor(static_cast<double>(size(0) - sizes[i].back()) / 2) * step;
      w.low += cut;
      w.high += cut;
    }
    if (too_large(w.step)) return no_map(network, "layer " + l.name + " is too coarse or too fine");
    all.push_back(w);
  }
  return all;
}

Size cube(const Network& network, int64_t n) { return Size(static_cast<std::size_t>(network.dims), n); }

// The largest step of a layer: independent of sizes, except after a resize to another layer, which gets that layer's
// step.
Result<int64_t> alignment_of(const Network& network) {
  std::vector<Step> steps;
  int64_t common = 1;
  for (const Layer& l : network.layers) {
    Step s;
    if (!l.inputs.empty()) {
      const auto of = [&](std::size_t k) { return steps[static_cast<std::size_t>(l.inputs[k])]; };
      s = of(0);
      const LayerKindRow& row = row_of(l.kind);
      if (row.has_window()) s = s.times(l.stride, 1);
      if (row.size == SizeRule::squares) s = s.times(1, l.stride);
      if (row.size == SizeRule::resized) s = l.inputs.size() > 1 ? of(1) : s.times(1, l.stride);
    }
    if (too_large(s)) return no_map(network, "layer " + l.name + " is too coarse or too fine");
    common = std::lcm(common, s.up);
    if (common > largest_alignment) return no_map(network, "its strides have no common multiple up to 4096");
    steps.push_back(s);
  }
  return common;
}

}  // namespace

Result<Footprint> footprint_of(const Network& network) {
  TL_TRY(const auto channels, channels_of(network));
  Footprint f;
  TL_TRY(f.alignment, alignment_of(network));
  // Fewer for files with thousands of layers, which may accept no size at all.
  constexpr int64_t max_steps = 1 << 22, min_tried = 1024, max_tried = 1 << 15;
  const int64_t largest_tried =
      std::clamp(max_steps / static_cast<int64_t>(network.layers.size()), min_tried, max_tried);
  const auto output = [&](int64_t n) -> int64_t {
    const auto sizes = layer_sizes(network, cube(network, n));
    return sizes.ok() ? sizes.value().back().back() : 0;
  };
  // Multiples of the alignment are tried first: networks whose output has the input's size accept these.
  int64_t n = f.alignment;
  while (n <= largest_tried && output(n) != n) n = n < 4 * f.alignment ? n + f.alignment : largest_tried + 1;
  f.same = n <= largest_tried;
  if (!f.same) {
    n = 1;
    while (n <= largest_tried && output(n) == 0) ++n;
    if (n > largest_tried)
      return layer_sizes(network, cube(network, largest_tried)).ok()
                 ? no_map(network, "the network accepts no size up to " + std::to_string(largest_tried))
                 : layer_sizes(network, cube(network, largest_tried)).error();
  }
  f.min_output = output(n);
  if (f.min_output > n || output(n + f.alignment) != f.min_output + f.alignment)
    return no_map(network, "the network gives " + std::to_string(f.min_output) + " pixels for " + std::to_string(n) +
                               ": no map of the same pixels");
  TL_TRY(const auto sizes, layer_sizes(network, cube(network, n)));
  TL_TRY(const auto windows, windows_of(network, sizes));
  const Window& last = windows.back();
  if (!(last.step == Step{})) return no_map(network, "the network's map is coarser or finer than its input");
  if (f.same) {
    f.before = static_cast<int64_t>(std::ceil(-last.low - 1e-9));
    f.after = static_cast<int64_t>(std::ceil(last.high - 1e-9));
    f.before = std::max<int64_t>(f.before, 0);
    f.after = std::max<int64_t>(f.after, 0);
  } else {
    f.before = (n - f.min_output) / 2;
    f.after = n - f.min_output - f.before;
  }
  return f;
}

Size input_for(const Network& network, const Footprint& footprint, int64_t output) {
  const int64_t steps =
      (std::max<int64_t>(output - footprint.min_output, 0) + footprint.alignment - 1) / footprint.alignment;
  int64_t n = footprint.min_output + steps * footprint.alignment;
  if (!footprint.same) n += footprint.before + footprint.after;
  return cube(network, n);
}

Result<double> operations_per_pixel(const Network& network) {
  TL_TRY(const Footprint footprint, footprint_of(network));
  TL_TRY(const std::vector<int64_t> channels, channels_of(network));
  TL_TRY(const std::vector<Size> sizes,
         layer_sizes(network, input_for(network, footprint, network.dims == 2 ? 512 : 64)));
  double pixels = 1, sum = 0;
  for (const int64_t n : sizes.back()) pixels *= static_cast<double>(n);
  for (const double layer : operations(network, channels, sizes)) sum += layer;
  return sum / pixels;
}

}  // namespace tl::net
