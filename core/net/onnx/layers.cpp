// ONNX operators that become layers, or part of a layer.
#include <ATen/ATen.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/net/onnx/importer.h"

namespace tl::net::onnx {
namespace {

const char* const export_again = "Export the network again";
const char* const build_otherwise = "Build the network without this operator, or run it in another program";

// The shortest decimal of a float: 1e-5, not 9.99999974737875e-06.
double as_written(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr;
  double read = value;
  std::from_chars(text, end, read);
  return read;
}

}  // namespace

// Along each side of an axis.
Result<int64_t> Importer::padding_of(const OnnxNode& n, int64_t kernel, int64_t dilation) const {
  const std::string_view automatic = n.text("auto_pad", "NOTSET");
  if (automatic == "VALID") return int64_t{0};
  if (automatic != "NOTSET") {
    const int64_t both = dilation * (kernel - 1);
    TL_TRY(const int64_t stride, same(n, "strides", 1, static_cast<std::size_t>(dims())));
    if (stride == 1 && both % 2 == 0) return both / 2;
    return refused(n, "has a border of different sides (auto_pad " + std::string(automatic) + ")",
                   "Build the network with a padding of its own");
  }
  return same(n, "pads", 0, 2 * static_cast<std::size_t>(dims()));
}

Result<void> Importer::add_bias(const OnnxNode& n, Layer& layer) {
  if (n.input(2).empty()) return ok();
  TL_TRY(const at::Tensor bias, numbers(n, 2));
  TL_TRY(layer.bias, add_tensor(n, 2, {layer.channels}, bias));
  return ok();
}

Result<void> Importer::filters(const OnnxNode& n, const OnnxMeaning& m, Layer& l) {
  const auto axes = static_cast<std::size_t>(dims());
  TL_TRY(at::Tensor weight, numbers(n, 1));
  if (weight.dim() != dims() + 2)
    return refused(n,
                   "has filters " + shape_text(weight.sizes().vec()) + " in a network of " + std::to_string(dims()) +
                       " dimensions",
                   export_again);
  TL_TRY(weight, without_groups(n, weight));
  const bool transposed = l.kind == LayerKind::transposed_convolution;
  l.inputs = m.layers;
  l.channels = weight.size(transposed ? 1 : 0);
  l.kernel = weight.size(2);
  TL_TRY(const int64_t stated, same(n, "kernel_shape", l.kernel, axes));
  std::vector<int64_t> shape{l.channels, channels_joined(m.layers)};
  if (transposed) std::swap(shape[0], shape[1]);
  shape.insert(shape.end(), axes, stated);
  TL_TRY(l.stride, same(n, "strides", 1, axes));
  TL_TRY(l.dilation, same(n, "dilations", 1, axes));
  l.kernel = stated;
  TL_TRY(l.weight, add_tensor(n, 1, shape, weight));
  return add_bias(n, l);
}

Result<void> Importer::convolution(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning m, joined_map(n, 0));
  if (m.flat) return refused(n, "reads a vector", export_again);
  Layer l = named_layer(n, LayerKind::convolution);
  TL_TRY(filters(n, m, l));
  TL_TRY(l.padding, padding_of(n, l.kernel, l.dilation));
  if (!m.padding.empty()) {
    const bool even = std::all_of(m.padding.begin(), m.padding.end(), [&](int64_t p) { return p == m.padding[0]; });
    if (!even || (m.border == Border::mirrored && l.padding > 0))
      return refused(n, "has borders that differ between axes, or are of two kinds",
                     "Build the network with one padding");
    l.padding += m.padding[0];
    l.border = m.border;
  }
  const int64_t channels = l.channels;
  return put_layer(n, std::move(l), channels, Form::map);
}

Result<void> Importer::transposed_convolution(const OnnxNode& n) {
  TL_TRY(OnnxMeaning m, joined_map(n, 0));
  if (m.flat || !m.padding.empty())
    return refused(n, "needs a map that is neither flattened nor padded", build_otherwise);
  Layer l = named_layer(n, LayerKind::transposed_convolution);
  TL_TRY(filters(n, m, l));
  TL_TRY(const int64_t padding, same(n, "pads", 0, 2 * static_cast<std::size_t>(dims())));
  TL_TRY(const int64_t more, same(n, "output_padding", 0, static_cast<std::size_t>(dims())));
  const bool plain = n.attribute("output_shape") == nullptr && n.text("auto_pad", "NOTSET") == "NOTSET";
  if (!plain || l.dilation != 1 || l.stride < 1 || l.kernel - 2 * padding + more != l.stride)
    return refused(n,
                   "has a kernel of " + std::to_string(l.kernel) + " and a stride of " + std::to_string(l.stride) +
                       ", or a border",
                   "Networks here enlarge by the stride: ConvTranspose2d(a, b, 2, 2), or (a, b, 4, 2, 1)");
  if (l.stride != l.kernel) return enlarged_by_phases(n, l, padding);
  const int64_t channels = l.channels;
  return put_layer(n, std::move(l), channels, Form::map);
}

Result<void> Importer::pooling(const OnnxNode& n) {
  const auto axes = static_cast<std::size_t>(dims());
  TL_TRY(const int64_t input, one_map(n, 0));
  Layer l = named_layer(n, layer_kind_of_onnx(n.op).value());
  l.inputs = {input};
  TL_TRY(l.kernel, same(n, "kernel_shape", 0, axes));
  TL_TRY(l.stride, same(n, "strides", 1, axes));
  TL_TRY(l.dilation, same(n, "dilations", 1, axes));
  TL_TRY(l.padding, padding_of(n, l.kernel, l.dilation));
  if (l.kind == LayerKind::average_pool && l.padding > 0) {
    if (n.integer("count_include_pad", 0) == 0 || n.integer("ceil_mode", 0) != 0)
      return refused(n, "averages fewer pixels at the edges (count_include_pad is 0)",
                     "Build the network with count_include_pad=True, or without padding");
    return padded_average(n, l);
  }
  if (n.integer("ceil_mode", 0) != 0 && (l.stride != l.kernel || l.padding != 0))
    return refused(n, "counts windows that reach beyond the map (ceil_mode)", "Build the network with ceil_mode=False");
  return put_layer(n, std::move(l), channels_[static_cast<std::size_t>(input)], Form::map);
}

Result<void> Importer::batch_norm(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  const Form form = read->flat ? Form::flat : Form::map;
  TL_TRY(const int64_t input, one_map(n, 0));
  if (n.integer("training_mode", 0) != 0)
    return refused(n, "is in training mode", "Export the network for inference: model.eval()");
  const int64_t channels = channels_[static_cast<std::size_t>(input)];
  Layer l = named_layer(n, LayerKind::batch_norm);
  l.inputs = {input};
  l.epsilon = as_written(n.real("epsilon", 1e-5));
  std::size_t place = 0;
  for (std::string* name : {&l.weight, &l.bias, &l.mean, &l.variance}) {
    TL_TRY(const at::Tensor given, numbers(n, ++place));
    TL_TRY(*name, add_tensor(n, place, {channels}, given));
  }
  return put_layer(n, std::move(l), channels, form);
}

Result<void> Importer::keeping_size(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  const Form form = read->flat ? Form::flat : Form::map;
  TL_TRY(const int64_t input, one_map(n, 0));
  Layer l = named_layer(n, n.op == "Relu" ? LayerKind::relu : LayerKind::dropout);
  l.inputs = {input};
  return put_layer(n, std::move(l), channels_[static_cast<std::size_t>(input)], form);
}

Result<void> Importer::sum(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* first, meaning(n, 0));
  const Form form = first->flat ? Form::flat : Form::map;
  TL_TRY(const std::vector<OnnxMeaning> maps, maps_of_one_size(n));
  std::vector<int64_t> inputs;
  for (const OnnxMeaning& m : maps) {
    TL_TRY(const int64_t input, as_layer(n, m));
    inputs.push_back(input);
  }
  const int64_t channels = channels_[static_cast<std::size_t>(inputs[0])];
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (channels_[static_cast<std::size_t>(inputs[k])] != channels || maps[k].flat != (form == Form::flat))
      return refused(n, "adds maps of different numbers of channels", build_otherwise);
  if (inputs.size() == 1) {
    OnnxMeaning same;
    same.layers = inputs;
    return put(n, std::move(same));
  }
  Layer l = named_layer(n, LayerKind::add);
  l.inputs = std::move(inputs);
  return put_layer(n, std::move(l), channels, form);
}

Result<void> Importer::softmax(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  const Form form = read->flat ? Form::flat : Form::map;
  const int64_t rank = form == Form::flat ? 2 : dims() + 2;
  const bool of_all_behind = model_.opset < 13 && rank > 2;  // in these versions it covers all later axes as well
  const int64_t axis = n.integer("axis", model_.opset < 13 ? 1 : -1);
  if (of_all_behind || (axis != 1 && axis != 1 - rank))
    return refused(n, "is not over the channels",
                   "Export the network with softmax over the channels (dim=1), opset 13");
  TL_TRY(const int64_t input, one_map(n, 0));
  Layer l = named_layer(n, LayerKind::softmax);
  l.inputs = {input};
  return put_layer(n, std::move(l), channels_[static_cast<std::size_t>(input)], form);
}

// Operators after the scores that are left out: probabilities are computed here from the scores.
Result<void> Importer::last_step(const OnnxNode& n) {
  const bool read = std::any_of(model_.nodes.begin(), model_.nodes.end(), [&](const OnnxNode& other) {
    return std::find(other.inputs.begin(), other.inputs.end(), n.outputs[0]) != other.inputs.end();
  });
  if (read || n.outputs[0] != model_.outputs[0].name)
    return refused(n, "is not the last step of the network", build_otherwise);
  TL_TRY(const int64_t input, one_map(n, 0));
  const int64_t channels = channels_[static_cast<std::size_t>(input)];
  if (n.op == "Sigmoid" && channels != 1)
    return refused(n, "gives " + std::to_string(channels) + " probabilities that are independent of one another",
                   "Networks here end in scores or softmax of classes that exclude one another, or in one score");
  const int64_t axis = n.integer("axis", n.op == "ArgMax" ? 0 : -1);
  if (n.op != "Sigmoid" && axis != 1 && axis != -1 - dims())
    return refused(n, "is not over the channels", "Export the network without this operator");
  OnnxMeaning m;
  m.layers = {input};
  return put(n, std::move(m));
}

Result<void> Importer::flatten(const OnnxNode& n) {
  TL_TRY(OnnxMeaning m, joined_map(n, 0));
  if (n.integer("axis", 1) != 1 || !m.padding.empty()) return refused(n, "is not of a whole map", build_otherwise);
  m.flat = true;
  return put(n, std::move(m));
}

// A map into a vector, and a vector into a map of one pixel.
Result<void> Importer::reshape(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  if (read->kind != OnnxMeaning::Kind::map) {
    TL_TRY(std::vector<InputDependentSize> all, sizes(n, 0));
    TL_TRY(const std::vector<int64_t> wanted, integers(n, 1));
    const bool scalar = wanted.empty();
    if (wanted.size() > 1 || (scalar && all.size() != 1)) return refused(n, "is of numbers", build_otherwise);
    return put_sizes(n, std::move(all), scalar ? Rank::scalar : Rank::vector);
  }
  TL_TRY(OnnxMeaning m, joined_map(n, 0));
  TL_TRY(const std::vector<InputDependentSize> wanted, sizes(n, 1));
  const auto is = [&](std::size_t k, int64_t value) { return wanted[k].axes.empty() && wanted[k].constant == value; };
  const bool to_vector = wanted.size() == 2 && m.padding.empty();
  bool to_map = m.flat && wanted.size() == static_cast<std::size_t>(dims()) + 2;
  for (std::size_t k = 2; to_map && k < wanted.size(); ++k) to_map = is(k, 1);
  if (to_map) to_map = is(1, channels_joined(m.layers)) || is(1, -1) || is(1, 0);
  if (!to_vector && !to_map)
    return refused(n, "is neither of a whole map into a vector, nor of that into one pixel", build_otherwise);
  m.flat = to_vector;
  return put(n, std::move(m));
}

Result<void> Importer::gemm(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning m, joined_map(n, 0));
  TL_TRY(at::Tensor weight, numbers(n, 1));
  if (!m.flat || weight.dim() != 2 || n.integer("transA", 0) != 0 || n.real("alpha", 1) != 1 || n.real("beta", 1) != 1)
    return refused(n, "is not a product of a flattened map with weights", build_otherwise);
  if (n.integer("transB", 0) == 0) weight = weight.t();
  Layer l = named_layer(n, LayerKind::inner_product);
  l.inputs = m.layers;
  l.channels = weight.size(0);
  const int64_t in = channels_joined(m.layers);
  const double pixels = static_cast<double>(weight.size(1)) / static_cast<double>(in);
  l.kernel = std::llround(std::pow(pixels, 1 / static_cast<double>(dims())));
  if (l.kernel < 1 || l.kernel > largest_kernel)
    return refused(n, "reads no square map", "Networks here have square maps: build the network for those");
  int64_t reads = in;
  for (int64_t axis = 0; axis < dims(); ++axis) reads *= l.kernel;
  TL_TRY(l.weight, add_tensor(n, 1, {l.channels, reads}, weight));
  TL_TRY(add_bias(n, l));
  const int64_t channels = l.channels;
  return put_layer(n, std::move(l), channels, Form::flat);
}

Result<void> Importer::same_thing(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* read, meaning(n, 0));
  if (read->kind == OnnxMeaning::Kind::map && n.op == "Floor") return refused(n, "is of a map", build_otherwise);
  constexpr int64_t float_type = 1;
  if (read->kind == OnnxMeaning::Kind::map && n.op == "Cast" && n.integer("to", float_type) != float_type)
    return refused(n, "makes other numbers of a map", "Export the network in float32");
  return put(n, *read);
}

Result<void> Importer::constant(const OnnxNode& n) {
  OnnxMeaning m;
  m.kind = OnnxMeaning::Kind::numbers;
  m.tensor = n.outputs[0];
  const OnnxAttribute* value = n.attribute("value");
  const OnnxAttribute* integers = n.attribute("value_ints");
  if (value != nullptr && !value->tensor.empty()) {
    m.stored = value->tensor.data();
  } else if (integers != nullptr) {
    m.numbers = at::tensor(integers->integers, at::kLong);
  } else if (const OnnxAttribute* one = n.attribute("value_int"); one != nullptr) {
    m.numbers = at::scalar_tensor(one->integer, at::kLong);
  } else if (one = n.attribute("value_float"); one != nullptr) {
    m.numbers = at::scalar_tensor(one->real, at::kFloat);
  } else {
    return refused(n, "has no number", export_again);
  }
  return put(n, std::move(m));
}

// Arithmetic on sizes, on maps, or of the input with constants.
Result<void> Importer::arithmetic(const OnnxNode& n) {
  TL_TRY(const OnnxMeaning* a, meaning(n, 0));
  TL_TRY(const OnnxMeaning* b, meaning(n, 1));
  using Kind = OnnxMeaning::Kind;
  if (a->kind == Kind::map && b->kind == Kind::map && n.op == "Add") return sum(n);
  if (a->kind != Kind::map && b->kind != Kind::map) return size_arithmetic(n);
  if (a->kind == Kind::map && b->kind == Kind::numbers) return scaling_step(n, 0);
  if (b->kind == Kind::map && a->kind == Kind::numbers && (n.op == "Add" || n.op == "Mul")) return scaling_step(n, 1);
  return refused(n, "is of maps", build_otherwise);
}

Result<void> Importer::scaling_step(const OnnxNode& n, std::size_t of) {
  TL_TRY(const OnnxMeaning* read, meaning(n, of));
  OnnxMeaning m = *read;
  TL_TRY(const at::Tensor given, numbers(n, 1 - of));
  const auto channels = static_cast<std::size_t>(channels_[0]);
  const bool per_channel = given.dim() > dims() && given.size(given.dim() - dims() - 1) == channels_[0];
  if (m.layers != std::vector<int64_t>{0} || !m.padding.empty() || !m.crop.empty() ||
      (given.numel() != 1 && !(per_channel && given.numel() == channels_[0])))
    return refused(n, "changes the numbers of a map", "Only the input may be scaled so; use batch norm behind it");
  if (m.mean.empty()) {
    m.mean.assign(channels, 0);
    m.deviation.assign(channels, 1);
  }
  const at::Tensor numbers = given.to(at::kDouble).flatten().expand({channels_[0]}).contiguous();
  for (std::size_t c = 0; c < channels; ++c) {
    const double number = numbers.const_data_ptr<double>()[c];
    if (n.op == "Sub") m.mean[c] += number * m.deviation[c];
    if (n.op == "Add") m.mean[c] -= number * m.deviation[c];
    if (n.op == "Div") m.deviation[c] *= number;
    if (n.op == "Mul") m.deviation[c] /= number;
    if (!std::isfinite(m.mean[c]) || !std::isfinite(m.deviation[c]) || m.deviation[c] <= 0)
      return refused(n, "scales the input by " + std::to_string(number), "Scale the input by a positive number");
  }
  return put(n, std::move(m));
}

}  // namespace tl::net::onnx
