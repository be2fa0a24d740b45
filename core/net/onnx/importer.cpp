// Names, layers and tensors of an import; the meaning of operators is in layers.cpp, borders.cpp and sizes.cpp.
#include "core/net/onnx/importer.h"

#include "core/base/text.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace tl::net::onnx {
namespace {

constexpr int64_t oldest_opset = 7, newest_opset = 25;
constexpr std::size_t longest_name = 200;  // as in files of networks

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

bool fit(std::string_view name) { return !name.empty() && name.size() <= longest_name; }

}  // namespace

Importer::Importer(const OnnxModel& model, std::size_t file_bytes, const std::string& where)
    : model_(model), where_(where), allowed_(8 * file_bytes + (std::size_t{1} << 20)) {}

const std::map<std::string_view, Importer::Operator>& Importer::operators() {
  static const std::map<std::string_view, Operator> all{
      {"Add", &Importer::arithmetic},       {"ArgMax", &Importer::last_step},
      {"AveragePool", &Importer::pooling},  {"BatchNormalization", &Importer::batch_norm},
      {"Cast", &Importer::same_thing},      {"Clip", &Importer::clip},
      {"Concat", &Importer::concatenate},   {"Constant", &Importer::constant},
      {"Conv", &Importer::convolution},     {"ConvTranspose", &Importer::transposed_convolution},
      {"Div", &Importer::arithmetic},       {"Dropout", &Importer::keeping_size},
      {"Flatten", &Importer::flatten},      {"Floor", &Importer::same_thing},
      {"Gather", &Importer::gather},        {"Gemm", &Importer::gemm},
      {"Identity", &Importer::same_thing},  {"LeakyRelu", &Importer::leaky_relu},
      {"LogSoftmax", &Importer::last_step}, {"MaxPool", &Importer::pooling},
      {"Mul", &Importer::arithmetic},       {"Pad", &Importer::pad},
      {"Relu", &Importer::keeping_size},    {"Reshape", &Importer::reshape},
      {"Resize", &Importer::resize},        {"Shape", &Importer::shape},
      {"Sigmoid", &Importer::last_step},    {"Slice", &Importer::slice},
      {"Softmax", &Importer::softmax},      {"Squeeze", &Importer::squeeze},
      {"Sub", &Importer::arithmetic},       {"Sum", &Importer::sum},
      {"Unsqueeze", &Importer::squeeze},    {"Upsample", &Importer::resize}};
  return all;
}

Error Importer::refused(const OnnxNode& n, const std::string& what, const std::string& hint) const {
  const std::string_view name = !n.name.empty() ? n.name : n.outputs.empty() ? std::string_view() : n.outputs[0];
  return invalid("node " + in_quotes(name) + " (" + std::string(n.op) + ") " + what, where_, hint);
}

Result<Network> Importer::network() {
  if (model_.opset < oldest_opset || model_.opset > newest_opset)
    return invalid("its operators are of the version " + std::to_string(model_.opset), where_,
                   "Export the network with a version of the operators (opset) from " + std::to_string(oldest_opset) +
                       " to " + std::to_string(newest_opset));
  if (model_.outputs.empty()) return invalid("the model has no output", where_, "Export the network again");
  const std::vector<bool> needed = needed_nodes();
  std::set<std::string> unknown;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (const OnnxNode& n = model_.nodes[i];
        needed[i] && (operators().count(n.op) == 0 || (!n.domain.empty() && n.domain != "ai.onnx")))
      unknown.insert(n.domain.empty() ? std::string(n.op) : std::string(n.domain) + "." + std::string(n.op));
  if (!unknown.empty()) {
    std::string names;
    for (const std::string& name : unknown) names += (names.empty() ? "" : ", ") + name;
    return invalid("networks here have no operator " + names, where_,
                   "Build the network from convolutions, rectifiers (Relu), poolings, batch norm, sums and "
                   "concatenation, or run it elsewhere");
  }
  TL_TRY(add_input());
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i]) TL_TRY(add_node(model_.nodes[i]));
  TL_TRY(end_with(model_.outputs[0].name));
  return std::move(network_);
}

// What some output depends on.
std::vector<bool> Importer::needed_nodes() const {
  std::unordered_map<std::string_view, std::size_t> makers;
  for (std::size_t i = 0; i < model_.nodes.size(); ++i)
    for (const std::string_view name : model_.nodes[i].outputs) makers.emplace(name, i);
  std::vector<bool> needed(model_.nodes.size(), false);
  std::vector<std::string_view> open;
  for (const OnnxValue& output : model_.outputs) open.push_back(output.name);
  while (!open.empty()) {
    const auto found = makers.find(open.back());
    open.pop_back();
    if (found == makers.end() || needed[found->second]) continue;
    needed[found->second] = true;
    const auto& inputs = model_.nodes[found->second].inputs;
    open.insert(open.end(), inputs.begin(), inputs.end());
  }
  return needed;
}

Result<void> Importer::add_input() {
  std::map<std::string_view, const OnnxTensor*> tensors;
  for (const OnnxTensor& t : model_.initializers) {
    tensors.emplace(t.name, &t);
    OnnxMeaning m{.kind = OnnxMeaning::Kind::numbers, .tensor = t.name, .stored = &t};
    meanings_.emplace(t.name, std::move(m));
  }
  const OnnxValue* input = nullptr;
  for (const OnnxValue& v : model_.inputs) {
    if (tensors.count(v.name) != 0) continue;  // as old models list them
    if (input != nullptr)
      return invalid("the model has several inputs, " + in_quotes(input->name) + " and " + in_quotes(v.name), where_,
                     "Export a network of one input, whose channels are the volumes");
    input = &v;
  }
  if (input == nullptr) return invalid("the model has no input", where_, "Export the network again");
  // [n, channel, (z,) y, x]; unknown axes follow from the first convolution.
  std::vector<int64_t> dims = input->dims;
  for (const OnnxNode& n : model_.nodes)
    if (const auto w = tensors.find(n.input(1)); n.op == "Conv" && w != tensors.end()) {
      const auto& shape = w->second->dims;
      if (dims.empty()) dims.assign(shape.size(), -1);
      if (dims.size() > 1 && dims[1] < 1 && shape.size() > 1) dims[1] = shape[1];
      break;
    }
  if ((dims.size() != 4 && dims.size() != 5) || dims[1] < 1 || dims[1] > max_channels)
    return invalid("the input " + in_quotes(input->name) + " is " + shape_text(dims) +
                       ", not that of an image or volume with 1 to " + std::to_string(max_channels) + " channels",
                   where_, "Export a network whose input is [n, channels, y, x] or [n, channels, z, y, x]");
  network_.dims = static_cast<int64_t>(dims.size()) - 2;
  input_size_.assign(dims.begin() + 2, dims.end());
  Layer l;
  l.name = fit(input->name) ? std::string(input->name) : "input";
  l.channels = dims[1];
  names_.insert(l.name);
  network_.layers.push_back(l);
  channels_.push_back(l.channels);
  size_owner_.push_back(0);
  OnnxMeaning m;
  m.layers = {0};
  if (!meanings_.emplace(input->name, std::move(m)).second)
    return invalid("the name " + in_quotes(input->name) + " has two meanings", where_, "Export the network again");
  return ok();
}

Result<void> Importer::add_node(const OnnxNode& n) {
  if (n.outputs.empty()) return refused(n, "has no output", "Export the network again");
  return (this->*operators().at(n.op))(n);
}

// The network must end with the layer of the first output.
Result<void> Importer::end_with(std::string_view output) {
  OnnxNode last;
  last.op = "output";
  last.name = output;
  last.inputs = {output};
  last.outputs = {output};
  TL_TRY(const int64_t end, one_map(last, 0));
  auto& layers = network_.layers;
  if (end + 1 == static_cast<int64_t>(layers.size())) return ok();
  const bool read = std::any_of(layers.begin(), layers.end(), [&](const Layer& l) {
    return std::find(l.inputs.begin(), l.inputs.end(), end) != l.inputs.end();
  });
  if (read || end == 0) {
    Layer same = named_layer(last, LayerKind::dropout);
    same.inputs = {end};
    TL_TRY(add_layer(last, std::move(same), channels_[static_cast<std::size_t>(end)]));
    return ok();
  }
  std::rotate(layers.begin() + end, layers.begin() + end + 1, layers.end());
  for (Layer& l : layers)
    for (int64_t& k : l.inputs)
      if (k > end) --k;
  return ok();
}

Result<const OnnxMeaning*> Importer::meaning(const OnnxNode& n, std::size_t input) const {
  const std::string_view name = n.input(input);
  if (name.empty()) return refused(n, "has no input " + std::to_string(input + 1), "Export the network again");
  const auto found = meanings_.find(name);
  if (found == meanings_.end())
    return refused(n, "reads " + in_quotes(name) + ", which no earlier node outputs",
                   "Check the model in Python: onnx.checker.check_model(onnx.load(\"NAME.onnx\"))");
  return &found->second;
}

Result<void> Importer::charge(const OnnxNode& n, std::size_t bytes) {
  if (bytes > allowed_)
    return refused(n, "takes more memory than the size of the file explains", "Check where the file comes from");
  allowed_ -= bytes;
  return ok();
}

Result<void> Importer::put(const OnnxNode& n, OnnxMeaning m) {
  std::size_t bytes = sizeof(int64_t) * (m.layers.size() + m.mean.size() + m.deviation.size());
  for (const InputDependentSize& t : m.sizes)
    bytes += sizeof(InputDependentSize) + sizeof(InputDependentSize::Axis) * t.axes.size();
  TL_TRY(charge(n, bytes));
  if (!meanings_.emplace(n.outputs[0], std::move(m)).second)
    return refused(n, "gives " + in_quotes(n.outputs[0]) + " a second time", "Export the network again");
  return ok();
}

Result<at::Tensor> Importer::numbers(const OnnxNode& n, std::size_t input) {
  TL_TRY(const OnnxMeaning* m, meaning(n, input));
  if (m->kind != OnnxMeaning::Kind::numbers)
    return refused(n, "reads " + in_quotes(n.input(input)) + ", which is computed, where a network has fixed numbers",
                   "Export the network with its weights as initializers");
  if (!m->numbers.defined()) {
    TL_TRY(meanings_.at(n.input(input)).numbers, numbers_of(*m->stored, where_));
  }
  return m->numbers;
}

Result<void> Importer::fix_scaling(const OnnxNode& n, const OnnxMeaning& m) {
  if (std::find(m.layers.begin(), m.layers.end(), 0) == m.layers.end()) return ok();
  if (scaling_known_ && (network_.scaling.mean != m.mean || network_.scaling.deviation != m.deviation))
    return refused(n, "reads the input with another scaling than the nodes before it",
                   "Export a network that scales its input once");
  scaling_known_ = true;
  network_.scaling = {m.mean, m.deviation};
  return ok();
}

Result<OnnxMeaning> Importer::joined_map(const OnnxNode& n, std::size_t input) {
  TL_TRY(const OnnxMeaning* found, meaning(n, input));
  OnnxMeaning m = *found;
  if (m.kind != OnnxMeaning::Kind::map)
    return refused(n, "reads " + in_quotes(n.input(input)) + ", which is not a map of the input",
                   "Export a network of layers of its input");
  if (!m.crop.empty())
    return refused(n, "reads a part of a map, of which it does not show how large it is in maps of other sizes",
                   "Cut maps to the size of the one that they are joined with, equally on both sides");
  TL_TRY(fix_scaling(n, m));
  return m;
}

Result<int64_t> Importer::one_map(const OnnxNode& n, std::size_t input) {
  TL_TRY(OnnxMeaning m, joined_map(n, input));
  if (!m.padding.empty())
    return refused(n, "reads a map with a border, which only convolutions do here",
                   "Give the border to a convolution (its padding)");
  return as_layer(n, std::move(m));
}

Result<int64_t> Importer::as_layer(const OnnxNode& n, OnnxMeaning m) {
  if (m.layers.size() == 1) return m.layers[0];
  if (const auto known = joined_.find(m.layers); known != joined_.end()) return known->second;
  Layer l = named_layer(n, LayerKind::concatenate);
  l.inputs = m.layers;
  const int64_t channels = channels_joined(m.layers);
  joined_.emplace(m.layers, static_cast<int64_t>(network_.layers.size()));
  return add_layer(n, std::move(l), channels);
}

int64_t Importer::channels_joined(const std::vector<int64_t>& layers) const {
  return std::accumulate(layers.begin(), layers.end(), int64_t{0},
                         [&](int64_t sum, int64_t i) { return sum + channels_[static_cast<std::size_t>(i)]; });
}

Layer Importer::named_layer(const OnnxNode& n, LayerKind kind) {
  Layer l;
  l.kind = kind;
  std::string name(fit(n.name) ? n.name : n.outputs[0]);
  if (!fit(name)) name = std::string(to_string(kind)) + " " + std::to_string(network_.layers.size());
  l.name = name;
  for (int64_t i = 2; !names_.insert(l.name).second; ++i) l.name = name + " " + std::to_string(i);
  return l;
}

Result<int64_t> Importer::add_layer(const OnnxNode& n, Layer l, int64_t channels) {
  const auto index = static_cast<int64_t>(network_.layers.size());
  if (index >= max_layers || channels > max_channels)
    return refused(n, "would be one layer or channel too many",
                   "Networks have at most " + std::to_string(max_layers) + " layers of " +
                       std::to_string(max_channels) + " channels");
  TL_TRY(charge(n, sizeof(int64_t) * l.inputs.size()));
  const auto of = [&](std::size_t k) { return size_owner_[static_cast<std::size_t>(l.inputs[k])]; };
  int64_t owner = index;
  const LayerKindRow& row = row_of(l.kind);
  const bool same_border = l.stride == 1 && 2 * l.padding == l.dilation * (l.kernel - 1);
  if ((row.size == SizeRule::same && !l.inputs.empty()) || (row.size == SizeRule::window && same_border)) owner = of(0);
  if (row.reads_size() && l.inputs.size() > 1) owner = of(1);
  size_owner_.push_back(owner);
  channels_.push_back(channels);
  network_.layers.push_back(std::move(l));
  return index;
}

Result<void> Importer::put_layer(const OnnxNode& n, Layer layer, int64_t channels, Form form) {
  OnnxMeaning m;
  m.flat = form == Form::flat;
  TL_TRY(const int64_t index, add_layer(n, std::move(layer), channels));
  m.layers = {index};
  return put(n, std::move(m));
}

Result<std::string> Importer::add_tensor(const OnnxNode& n, std::size_t input, const std::vector<int64_t>& shape,
                                         const at::Tensor& given) {
  TL_TRY(const OnnxMeaning* m, meaning(n, input));
  std::string name(fit(m->tensor) ? m->tensor : "tensor " + std::to_string(network_.tensors.size()));
  if (!given.is_floating_point() || given.sizes().vec() != shape)
    return invalid("tensor " + in_quotes(name) + " is " + shape_text(given.sizes().vec()) +
                       (given.is_floating_point() ? "" : " of integers") + ", not " + shape_text(shape) + " (" +
                       std::string(n.op) + " node " + in_quotes(n.name.empty() ? n.outputs[0] : n.name) + ")",
                   where_, "Copy or export the file again");
  // Layers that share a tensor get a copy each, since they are trained and pruned separately.
  if (network_.tensors.count(name) != 0) {
    TL_TRY(charge(n, given.nbytes() + sizeof(Layer)));
    int64_t& copies = copies_[name];
    const std::string first = name;
    while (network_.tensors.count(name) != 0) name = first + " " + std::to_string(++copies + 1);
  }
  network_.tensors[name] = given.to(at::kFloat).contiguous();
  return name;
}

Result<int64_t> Importer::same(const OnnxNode& n, const char* attribute, int64_t usual, std::size_t count) const {
  const OnnxAttribute* a = n.attribute(attribute);
  if (a == nullptr || a->integers.empty()) return usual;
  const int64_t first = a->integers[0];
  if (a->integers.size() != count ||
      std::any_of(a->integers.begin(), a->integers.end(), [&](int64_t k) { return k != first; }))
    return refused(n, "has " + std::string(attribute) + " " + shape_text(a->integers) + ", not the same along all axes",
                   "Networks here have square filters, strides and borders: build the network of those");
  // Products of a few such numbers do not overflow; the limits for layers are checked with the whole network.
  constexpr int64_t largest = 1 << 20;
  if (first < 0 || first > largest)
    return refused(n, "has " + std::string(attribute) + " of " + std::to_string(first), "Export the network again");
  return a->integers[0];
}

}  // namespace tl::net::onnx
