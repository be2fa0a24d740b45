// Reads ONNX files: imports the graph, then the metadata that Tomoloom writes. The result passes all checks of network
// files.
#include "core/net/onnx/read_onnx.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/io/volumes/label_table.h"
#include "core/net/network_model.h"
#include "core/net/onnx/importer.h"
#include "core/net/onnx/write_onnx.h"

namespace tl::net::onnx {
namespace {

using MetadataJson = nlohmann::ordered_json;

// "NAME[BEGIN:END]": biases stored as part of a tensor.
struct BiasPart {
  std::size_t layer = 0;
  int64_t begin = 0, end = 0;
};
std::optional<std::pair<std::string, BiasPart>> part_named(const std::string& name) {
  const std::size_t open = name.rfind('['), colon = name.find(':', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || open == 0 || colon == std::string::npos || name.back() != ']') return std::nullopt;
  BiasPart part;
  const char* const first = name.data() + open + 1;
  const char* const middle = name.data() + colon;
  const char* const last = name.data() + name.size() - 1;
  const auto begin = std::from_chars(first, middle, part.begin), end = std::from_chars(middle + 1, last, part.end);
  if (begin.ec != std::errc() || begin.ptr != middle || end.ec != std::errc() || end.ptr != last) return std::nullopt;
  return std::pair(name.substr(0, open), part);
}

// Contiguous parts are joined to one tensor again.
void join_biases(Network& network) {
  std::map<std::string, std::vector<BiasPart>> tensors;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& l = network.layers[i];
    auto part = l.kind == LayerKind::convolution ? part_named(l.bias) : std::nullopt;
    if (!part) continue;
    part->second.layer = i;
    tensors[part->first].push_back(part->second);
  }
  for (auto& [name, parts] : tensors) {
    std::sort(parts.begin(), parts.end(), [](const BiasPart& a, const BiasPart& b) { return a.begin < b.begin; });
    int64_t at = 0;
    bool whole = network.tensors.count(name) == 0;
    for (const BiasPart& p : parts) {
      whole = whole && p.begin == at && p.end == at + network.layers[p.layer].channels;
      at = p.end;
    }
    if (!whole) continue;
    std::vector<at::Tensor> numbers;
    for (const BiasPart& p : parts) {
      Layer& l = network.layers[p.layer];
      const auto found = network.tensors.find(l.bias);
      numbers.push_back(found->second);
      network.tensors.erase(found);
      l.bias = name;
      l.bias_offset = p.begin;
    }
    network.tensors[name] = at::cat(numbers);
  }
}

// Uses the double values in the metadata if the nodes have the same numbers in float32.
void sharpen_scaling(InputScaling& scaling, std::string_view text) {
  const MetadataJson json = MetadataJson::parse(text, nullptr, false);
  for (const auto& [key, values] : {std::pair("mean", &scaling.mean), std::pair("deviation", &scaling.deviation)}) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_array() || json[key].size() != values->size())
      continue;
    for (std::size_t c = 0; c < values->size(); ++c) {
      const MetadataJson& given = json[key][c];
      if (given.is_number() && static_cast<float>(given.get<double>()) == static_cast<float>((*values)[c]))
        (*values)[c] = given.get<double>();
    }
  }
}

Result<void> add_metadata_of(const OnnxModel& model, Network& network, const std::string& where) {
  network.architecture = "ONNX" + (model.producer.empty() ? "" : " of " + std::string(model.producer.substr(0, 100)));
  for (const auto& [key, value] : model.metadata) {
    constexpr std::size_t longest = 1000;
    if (key == key_of_architecture) network.architecture = value.substr(0, longest);
    if (key == key_of_scaling) sharpen_scaling(network.scaling, value);
    if (key == key_of_voxel_size) {
      const auto read = std::from_chars(value.data(), value.data() + value.size(), network.voxel_size);
      if (read.ec != std::errc() || !(network.voxel_size > 0))
        return invalid("the voxel size in its metadata is not a positive number", where, "Write the file again");
    }
    if (key == key_of_labels) {
      TL_TRY(const LabelTable table, io::label_table_from_json(std::string(value), where));
      network.classes = table.classes;
    }
    if (key == key_of_history) {
      TL_TRY(network.history, history_from_json(value, where));
    }
  }
  return ok();
}

}  // namespace

Result<Network> network_from_onnx(std::string_view bytes, const std::string& where) {
  TL_TRY(const OnnxModel model, onnx_model(bytes, where));
  TL_TRY(Network network, Importer(model, bytes.size(), where).network());
  join_biases(network);
  TL_TRY(add_metadata_of(model, network, where));
  Result<Network> checked = network_of(model_of(network), where);
  if (!checked.ok())
    return invalid(checked.error().what, where,
                   "Build the network of the operators that the documentation of ONNX files lists");
  return checked;
}

}  // namespace tl::net::onnx
