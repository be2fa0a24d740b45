// ONNX operators that networks here do not have, composed of those that they have: equal results up to rounding.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/net/onnx/importer.h"

namespace tl::net::onnx {
namespace {

const char* const without_it = "Build the network without this operator, or run it in another program";

int64_t floored_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

// Which element of a kernel along one axis gives output pixel stride * j + phase from input pixel j + shift.
struct Phases {
  int64_t kernel, stride, padding;
  [[nodiscard]] int64_t reach() const {  // the largest shift
    return std::max(floored_quotient(stride - 1 + padding, stride),
                    -floored_quotient(padding - kernel + stride, stride));
  }
  // Indexed by phase, and shift from -reach() on; the value `kernel` stands for none.
  [[nodiscard]] at::Tensor taps() const {
    std::vector<int64_t> all;
    for (int64_t phase = 0; phase < stride; ++phase)
      for (int64_t shift = -reach(); shift <= reach(); ++shift) {
        const int64_t tap = phase + padding - stride * shift;
        all.push_back(tap >= 0 && tap < kernel ? tap : kernel);
      }
    return at::tensor(all, at::kLong);
  }
};

}  // namespace

std::string Importer::own_tensor(const std::string& name, const char* ending, const at::Tensor& values) {
  constexpr std::size_t longest = 180;  // with a suffix, still within the limit for names in files
  const std::string first = name.substr(0, longest) + ending;
  std::string unique = first;
  for (int64_t i = 2; network_.tensors.count(unique) != 0; ++i) unique = first + " " + std::to_string(i);
  network_.tensors[unique] = values.to(at::kFloat).contiguous();
  return unique;
}

// Small files may have many groups of few channels each: their filters between all channels are far larger.
Result<void> Importer::charge_composed(const OnnxNode& n, double numbers) {
  const double bytes = numbers * sizeof(float);
  if (bytes > static_cast<double>(allowed_composed_))
    return refused(n, "would take too much memory as filters between all channels", "Build a smaller network");
  allowed_composed_ -= static_cast<std::size_t>(bytes);
  return ok();
}

// Filters in groups as filters between all channels, most of which are 0.
Result<at::Tensor> Importer::without_groups(const OnnxNode& n, const at::Tensor& weight) {
  const int64_t groups = n.integer("group", 1);
  if (groups == 1) return weight;
  const int64_t rows = weight.size(0), cols = weight.size(1);
  if (groups < 1 || rows % groups != 0)
    return refused(n, "has filters in " + std::to_string(groups) + " groups of " + std::to_string(rows),
                   "Export the network again");
  TL_TRY(charge_composed(n, static_cast<double>(weight.numel()) * static_cast<double>(groups)));
  std::vector<int64_t> shape = weight.sizes().vec();
  shape[1] = cols * groups;
  at::Tensor all = at::zeros(shape, weight.options());
  const int64_t each = rows / groups;
  for (int64_t g = 0; g < groups; ++g)
    all.narrow(0, g * each, each).narrow(1, g * cols, cols).copy_(weight.narrow(0, g * each, each));
  return all;
}

// A convolution that multiplies each channel of its inputs by its factor, and adds them and a bias.
Result<int64_t> Importer::weighted_sum(const OnnxNode& n, const std::vector<int64_t>& inputs,
                                       const std::vector<double>& factors, double bias) {
  const int64_t channels = channels_[static_cast<std::size_t>(inputs[0])], axes = dims();
  const auto count = static_cast<int64_t>(inputs.size());
  TL_TRY(
      charge_composed(n, static_cast<double>(count) * static_cast<double>(channels) * static_cast<double>(channels)));
  std::vector<at::Tensor> blocks;
  for (const double factor : factors) blocks.push_back(factor * at::eye(channels, at::kFloat));
  at::Tensor weight = at::cat(blocks, 1);
  for (int64_t axis = 0; axis < axes; ++axis) weight = weight.unsqueeze(-1);
  Layer l = named_layer(n, LayerKind::convolution);
  l.inputs = inputs;
  l.channels = channels;
  l.weight = own_tensor(l.name, ".weight", weight);
  if (bias != 0) l.bias = own_tensor(l.name, ".bias", at::full({channels}, bias));
  return add_layer(n, std::move(l), channels);
}

Result<int64_t> Importer::rectified(const OnnxNode& n, int64_t input) {
  Layer l = named_layer(n, LayerKind::relu);
  l.inputs = {input};
  return add_layer(n, std::move(l), channels_[static_cast<std::size_t>(input)]);
}

Result<void> Importer::put_map(const OnnxNode& n, int64_t layer) {
  OnnxMeaning m;
  m.layers = {layer};
  return put(n, std::move(m));
}

// max(x, 0) - slope max(-x, 0)
Result<void> Importer::leaky_relu(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  if (read->flat) return refused(n, "is applied to a vector", without_it);
  TL_TRY(const int64_t input, one_map(n, 0));
  TL_TRY(const int64_t minus, weighted_sum(n, {input}, {-1}, 0));
  TL_TRY(const int64_t above, rectified(n, input));
  TL_TRY(const int64_t below, rectified(n, minus));
  TL_TRY(const int64_t sum, weighted_sum(n, {above, below}, {1, -n.real("alpha", 0.01)}, 0));
  return put_map(n, sum);
}

// low + max(x - low, 0) - max(x - high, 0)
Result<void> Importer::clip(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  if (read->kind != OnnxMeaning::Kind::map || read->flat) return refused(n, "is not applied to a map", without_it);
  constexpr double infinite = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<float>::max();
  double low = n.real("min", -infinite), high = n.real("max", infinite);
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    if (n.input(k).empty()) continue;
    TL_TRY(const at::Tensor limit, numbers(n, k));
    if (limit.numel() != 1) return refused(n, "has limits that are not single numbers", "Export the network again");
    (k == 1 ? low : high) = limit.to(at::kDouble).item<double>();
  }
  if (low <= -largest || !(low < high))
    return refused(n, "has no lower limit, or none below the upper one", without_it);
  TL_TRY(const int64_t input, one_map(n, 0));
  const auto part_above = [&](double limit) -> Result<int64_t> {
    if (limit == 0) return rectified(n, input);
    TL_TRY(const int64_t shifted, weighted_sum(n, {input}, {1}, -limit));
    return rectified(n, shifted);
  };
  TL_TRY(int64_t end, part_above(low));
  if (high < largest) {
    TL_TRY(const int64_t beyond, part_above(high));
    TL_TRY(end, weighted_sum(n, {end, beyond}, {1, -1}, low));
  } else if (low != 0) {
    TL_TRY(end, weighted_sum(n, {end}, {1}, low));
  }
  return put_map(n, end);
}

// Averages that count pixels beyond the edges as 0: a convolution with equal weights.
Result<void> Importer::padded_average(const OnnxNode& n, const Layer& pool) {
  const int64_t channels = channels_[static_cast<std::size_t>(pool.inputs[0])];
  std::vector<int64_t> shape{channels, channels};
  shape.insert(shape.end(), static_cast<std::size_t>(dims()), pool.kernel);
  const double pixels = std::pow(static_cast<double>(pool.kernel), static_cast<double>(dims()));
  if (pool.kernel < 1 || pool.kernel > largest_kernel)
    return refused(n, "has a kernel of " + std::to_string(pool.kernel), "Export the network again");
  TL_TRY(charge_composed(n, pixels * static_cast<double>(channels) * static_cast<double>(channels)));
  at::Tensor weight = at::zeros(shape, at::kFloat);
  for (int64_t c = 0; c < channels; ++c) weight[c][c].fill_(1 / pixels);
  Layer l = pool;
  l.kind = LayerKind::convolution;
  l.channels = channels;
  l.weight = own_tensor(l.name, ".weight", weight);
  return put_layer(n, std::move(l), channels, Form::map);
}

// Every phase of the larger map is a convolution of the smaller one; a transposed convolution whose stride equals its
// kernel interleaves the phases.
Result<void> Importer::enlarged_by_phases(const OnnxNode& n, const Layer& given, int64_t padding) {
  const Phases phases{given.kernel, given.stride, padding};
  const int64_t axes = dims(), taps = 2 * phases.reach() + 1, out = given.channels;
  at::Tensor weight = network_.tensors.at(given.weight);  // [in, out, kernel...]
  const int64_t in = weight.size(0);
  const auto copies = static_cast<int64_t>(std::llround(std::pow(given.stride, axes)));
  if (given.stride > largest_kernel || out * copies > max_channels || taps > largest_kernel)
    return refused(n, "enlarges too much", without_it);
  const double area = std::pow(static_cast<double>(taps), static_cast<double>(axes)),
               made = static_cast<double>(out) * static_cast<double>(copies);
  TL_TRY(charge_composed(n, made * (area * static_cast<double>(in) + static_cast<double>(out * copies))));
  const at::Tensor index = phases.taps();
  for (int64_t axis = 2; axis < axes + 2; ++axis) {
    std::vector<int64_t> none = weight.sizes().vec();
    none[static_cast<std::size_t>(axis)] = 1;
    weight = at::cat({weight, at::zeros(none, weight.options())}, axis).index_select(axis, index);
  }
  std::vector<int64_t> split{in, out}, order{1}, filters{out * copies, in}, one{out * copies, out};
  for (int64_t axis = 0; axis < axes; ++axis) {
    split.insert(split.end(), {given.stride, taps});
    order.push_back(2 + 2 * axis);
    filters.push_back(taps);
    one.push_back(given.stride);
  }
  order.push_back(0);
  for (int64_t axis = 0; axis < axes; ++axis) order.push_back(3 + 2 * axis);
  Layer of_phases = given;
  of_phases.kind = LayerKind::convolution;
  of_phases.channels = out * copies;
  of_phases.kernel = taps;
  of_phases.stride = 1;
  of_phases.padding = phases.reach();
  of_phases.bias.clear();
  network_.tensors.at(given.weight) = weight.view(split).permute(order).reshape(filters).contiguous();
  TL_TRY(const int64_t small, add_layer(n, std::move(of_phases), out * copies));
  Layer shuffle = named_layer(n, LayerKind::transposed_convolution);
  shuffle.inputs = {small};
  shuffle.channels = out;
  shuffle.kernel = shuffle.stride = given.stride;
  shuffle.bias = given.bias;
  const at::Tensor place = at::eye(out * copies, at::kFloat).view({out * copies, out, copies});
  shuffle.weight = own_tensor(shuffle.name, ".weight", place.reshape(one));
  return put_layer(n, std::move(shuffle), out, Form::map);
}

}  // namespace tl::net::onnx
