// Writes one node per layer, and several if ONNX has no such operator: mirrored borders, crops, sizes of other maps.
#include "core/net/onnx/write_onnx.h"

#include <ATen/ATen.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/io/volumes/label_table.h"
#include "core/net/onnx/graph_writer.h"

namespace tl::net::onnx {
namespace {

constexpr uint64_t ir_version = 8, opset_version = 17;

// By layer, the name of its biases: the tensor's name if they are the whole tensor.
std::map<std::string, std::string> names_of_biases(const Network& network) {
  const auto shapes = tensor_shapes(network).or_throw();
  std::map<std::string, std::string> names;
  for (const Layer& l : network.layers) {
    if (l.bias.empty()) continue;
    std::string& name = names[l.name] = l.bias;
    if (l.kind == LayerKind::batch_norm || shapes.at(l.bias)[0] == l.channels) continue;
    name += "[" + std::to_string(l.bias_offset) + ":" + std::to_string(l.bias_offset + l.channels) + "]";
  }
  return names;
}

// The initializers: biases are separate, since many programs accept only whole initializers as biases, not parts of
// one.
Result<std::map<std::string, at::Tensor>> initializers_of(const Network& network,
                                                          const std::map<std::string, std::string>& biases) {
  std::map<std::string, at::Tensor> all = network.tensors, parts;
  for (const Layer& l : network.layers)
    if (!l.bias.empty() && biases.at(l.name) != l.bias) {
      all.erase(l.bias);
      parts[biases.at(l.name)] = network.tensors.at(l.bias).narrow(0, l.bias_offset, l.channels);
    }
  all.merge(parts);
  if (!parts.empty())
    return invalid("two tensors would get one name: this one, and a part of another", "tensor " + parts.begin()->first,
                   "Write the network as .safetensors");
  return all;
}

class NetworkWriter {
 public:
  NetworkWriter(const Network& network, const std::map<std::string, std::string>& biases,
                const std::map<std::string, at::Tensor>& initializers)
      : network_(network), channels_(channels_of(network).or_throw()), biases_(biases) {
    for (const auto& [name, tensor] : initializers) writer_.initializer(writer_.unused(name), tensor);
    std::vector<bool> read(network.layers.size(), false);
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      const Layer& l = network.layers[i];
      maps_.push_back(i == 0 ? input(l) : layer(l));
      for (const int64_t k : l.inputs) read[static_cast<std::size_t>(k)] = true;
    }
    // The output of a graph must differ from its input: Identity separates them.
    if (maps_.size() == 1) maps_[0] = writer_.node("Identity", "output", {maps_[0]});
    writer_.output(maps_.back(), channels_.back(), network.dims);
    for (std::size_t i = 1; i + 1 < maps_.size(); ++i)
      if (!read[i]) writer_.output(maps_[i], channels_[i], network.dims);
  }
  [[nodiscard]] std::string message() const { return writer_.message(); }

 private:
  [[nodiscard]] Integers each(int64_t n) const { return Integers(static_cast<std::size_t>(network_.dims), n); }
  [[nodiscard]] Integers axes() const { return network_.dims == 2 ? Integers{2, 3} : Integers{2, 3, 4}; }
  [[nodiscard]] const std::string& map(const Layer& l, std::size_t k) const {
    return maps_[static_cast<std::size_t>(l.inputs[k])];
  }

  std::string input(const Layer& l) {
    std::string at = writer_.unused(l.name);
    writer_.input(at, l.channels, network_.dims);
    const InputScaling& s = network_.scaling;
    if (s.mean.empty()) return at;
    Integers shape(static_cast<std::size_t>(network_.dims) + 2, 1);
    shape[1] = l.channels;
    const auto step = [&](const char* op, const std::string& name, const std::vector<double>& values) {
      const std::string numbers = writer_.unused(l.name + "/" + name);
      writer_.initializer(numbers, at::tensor(values, at::kDouble).view(shape));
      at = writer_.node(op, l.name + "/less_" + name, {at, numbers});
    };
    step("Sub", "mean", s.mean);
    step("Div", "deviation", s.deviation);
    return at;
  }

  std::string joined(const Layer& l) {
    if (l.inputs.size() == 1) return map(l, 0);
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < l.inputs.size(); ++k) parts.push_back(map(l, k));
    return writer_.node("Concat", l.name + "/joined", parts, {integer_attribute("axis", 1)});
  }

  // Extends by `by` pixels on each side, mirrored with the edge repeated.
  std::string mirrored_border(const Layer& l, const std::string& x, int64_t by) {
    if (by == 1) {  // the same as the edge
      Integers pads{0, 0};
      for (int64_t end = 0; end < 2; ++end) {
        if (end == 1) pads.insert(pads.end(), 2, 0);
        pads.insert(pads.end(), static_cast<std::size_t>(network_.dims), 1);
      }
      return writer_.node("Pad", l.name + "/border", {x, writer_.constant(pads)}, {text_attribute("mode", "edge")});
    }
    std::string at = x;
    for (const int64_t axis : axes()) {
      const std::string name = l.name + "/border" + std::to_string(axis);
      const auto reversed = [&](const char* side, int64_t start, int64_t end) {
        return writer_.node(
            "Slice", name + side,
            {at, writer_.constant({start}), writer_.constant({end}), writer_.constant({axis}), writer_.constant({-1})});
      };
      constexpr int64_t beyond_the_first = std::numeric_limits<int64_t>::min();
      const std::string first = reversed("/first", by - 1, beyond_the_first), last = reversed("/last", -1, -by - 1);
      at = writer_.node("Concat", name, {first, at, last}, {integer_attribute("axis", axis)});
    }
    return at;
  }

  std::vector<std::string> with_tensors_of(const Layer& l, const std::string& x) const {
    std::vector<std::string> all{x, l.weight};
    if (!l.bias.empty()) all.push_back(biases_.at(l.name));
    return all;
  }

  std::string convolution(const Layer& l) {
    std::string x = joined(l);
    const bool mirrors = l.border == Border::mirrored && l.padding > 0;
    if (mirrors) x = mirrored_border(l, x, l.padding);
    Integers pads = each(mirrors ? 0 : l.padding);
    pads.insert(pads.end(), pads.begin(), pads.begin() + network_.dims);
    return writer_.node(
        "Conv", l.name, with_tensors_of(l, x),
        {integers_attribute("kernel_shape", each(l.kernel)), integers_attribute("pads", pads),
         integers_attribute("strides", each(l.stride)), integers_attribute("dilations", each(l.dilation))});
  }

  std::string pooling(const Layer& l) {
    std::vector<NamedAttribute> all{integers_attribute("kernel_shape", each(l.kernel)),
                                    integers_attribute("strides", each(l.stride))};
    if (l.kind == LayerKind::average_pool) return writer_.node("AveragePool", l.name, {map(l, 0)}, all);
    Integers pads = each(l.padding);
    pads.insert(pads.end(), pads.begin(), pads.begin() + network_.dims);
    all.push_back(integers_attribute("pads", pads));
    all.push_back(integers_attribute("dilations", each(l.dilation)));
    return writer_.node("MaxPool", l.name, {map(l, 0)}, all);
  }

  // Sizes along the axes of space.
  std::string map_size(const Layer& l, const char* which, std::size_t k) {
    return writer_.node("Shape", l.name + which, {map(l, k)}, {integer_attribute("start", 2)});
  }

  std::string crop(const Layer& l) {
    const std::string whole = map_size(l, "/whole", 0), part = map_size(l, "/part", 1);
    const std::string less = writer_.node("Sub", l.name + "/less", {whole, part});
    const std::string begin = writer_.node("Div", l.name + "/begin", {less, writer_.constant({2})});
    const std::string end = writer_.node("Add", l.name + "/end", {begin, part});
    return writer_.node("Slice", l.name, {map(l, 0), begin, end, writer_.constant(axes())});
  }

  std::string resize(const Layer& l) {
    std::vector<NamedAttribute> all;
    if (l.interpolation == Interpolation::nearest) {
      all = {text_attribute("mode", "nearest"), text_attribute("coordinate_transformation_mode", "asymmetric"),
             text_attribute("nearest_mode", "floor")};
    } else {
      all = {text_attribute("mode", "linear"), text_attribute("coordinate_transformation_mode", "half_pixel")};
    }
    if (l.inputs.size() == 1) {
      Integers scales{1, 1};
      scales.insert(scales.end(), static_cast<std::size_t>(network_.dims), l.stride);
      const std::string name = writer_.unused(l.name + "/scales");
      writer_.initializer(name, at::tensor(scales, at::kFloat));
      return writer_.node("Resize", l.name, {map(l, 0), "", name}, all);
    }
    const std::string kept = writer_.node("Shape", l.name + "/kept", {map(l, 0)}, {integer_attribute("end", 2)});
    const std::string size =
        writer_.node("Concat", l.name + "/size", {kept, map_size(l, "/wanted", 1)}, {integer_attribute("axis", 0)});
    return writer_.node("Resize", l.name, {map(l, 0), "", "", size}, all);
  }

  std::string inner_product(const Layer& l) {
    const std::string flat = writer_.node("Flatten", l.name + "/flat", {joined(l)});
    const std::string product =
        writer_.node("Gemm", l.name, with_tensors_of(l, flat), {integer_attribute("transB", 1)});
    return writer_.node("Unsqueeze", l.name + "/map", {product, writer_.constant(axes())});
  }

  std::string transposed_convolution(const Layer& l) {
    return writer_.node(
        "ConvTranspose", l.name, with_tensors_of(l, joined(l)),
        {integers_attribute("kernel_shape", each(l.kernel)), integers_attribute("strides", each(l.stride))});
  }

  std::string batch_norm(const Layer& l) {
    return writer_.node("BatchNormalization", l.name, {map(l, 0), l.weight, l.bias, l.mean, l.variance},
                        {real_attribute("epsilon", static_cast<float>(l.epsilon))});
  }

  // Adds the operator for the layer's kind, applied to its maps.
  std::string of_maps(const Layer& l, const std::vector<NamedAttribute>& attributes) {
    std::vector<std::string> all;
    for (std::size_t k = 0; k < l.inputs.size(); ++k) all.push_back(map(l, k));
    const bool is_sum = l.kind == LayerKind::add && all.size() > 2;  // Add takes two
    return writer_.node(is_sum ? "Sum" : std::string(row_of(l.kind).onnx), l.name, all, attributes);
  }
  std::string of_pixels(const Layer& l) { return of_maps(l, {}); }
  std::string of_channels(const Layer& l) { return of_maps(l, {integer_attribute("axis", 1)}); }

  std::string layer(const Layer& l) {
    static const std::map<LayerKind, std::string (NetworkWriter::*)(const Layer&)> writers{
        {LayerKind::convolution, &NetworkWriter::convolution},
        {LayerKind::transposed_convolution, &NetworkWriter::transposed_convolution},
        {LayerKind::max_pool, &NetworkWriter::pooling},
        {LayerKind::average_pool, &NetworkWriter::pooling},
        {LayerKind::batch_norm, &NetworkWriter::batch_norm},
        {LayerKind::relu, &NetworkWriter::of_pixels},
        {LayerKind::concatenate, &NetworkWriter::of_channels},
        {LayerKind::add, &NetworkWriter::of_pixels},
        {LayerKind::crop, &NetworkWriter::crop},
        {LayerKind::resize, &NetworkWriter::resize},
        {LayerKind::dropout, &NetworkWriter::of_pixels},
        {LayerKind::inner_product, &NetworkWriter::inner_product},
        {LayerKind::softmax, &NetworkWriter::of_channels},
    };
    return (this->*writers.at(l.kind))(l);
  }

  const Network& network_;
  const std::vector<int64_t> channels_;
  const std::map<std::string, std::string>& biases_;
  std::vector<std::string> maps_;
  GraphWriter writer_;
};

void add_metadata(const Network& network, WireWriter& model) {
  const auto add = [&](std::string_view key, const std::string& value) {
    WireWriter entry;
    entry.bytes(1, key);
    entry.bytes(2, value);
    model.bytes(14, entry.message());
  };
  if (!network.architecture.empty()) add(key_of_architecture, network.architecture);
  if (network.voxel_size > 0) add(key_of_voxel_size, formatted("%.17g", network.voxel_size));
  const InputScaling& s = network.scaling;
  if (!s.mean.empty()) add(key_of_scaling, nlohmann::ordered_json{{"mean", s.mean}, {"deviation", s.deviation}}.dump());
  if (!network.classes.empty()) add(key_of_labels, io::to_json_text(LabelTable{network.classes, {}}));
  if (!network.history.empty()) add(key_of_history, to_json_text(network.history));
}

}  // namespace

Result<std::string> to_onnx(const Network& network, const std::string& file) {
  double numbers = 0;
  for (const auto& [name, tensor] : network.tensors) numbers += static_cast<double>(tensor.numel());
  constexpr double max_bytes = 0x1p31 - 0x1p20;  // with room for the nodes
  if (numbers * sizeof(float) > max_bytes)
    return invalid("the network has more numbers than an ONNX file can hold", file, "Write it as .safetensors");
  const auto biases = names_of_biases(network);
  TL_TRY(const auto initializers, initializers_of(network, biases));
  WireWriter model;
  model.number(1, ir_version);
  model.bytes(2, "tomoloom");
  WireWriter opset;
  opset.bytes(1, "");
  opset.number(2, opset_version);
  model.bytes(8, opset.message());
  model.bytes(7, NetworkWriter(network, biases, initializers).message());
  add_metadata(network, model);
  return model.message();
}

}  // namespace tl::net::onnx
