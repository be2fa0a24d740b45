// Reads and writes graphs of layers; a table maps each field of a layer to its name and default.
#include "core/net/network_json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/io/volumes/label_table.h"

namespace tl::net {
namespace {

using NetJson = nlohmann::ordered_json;

constexpr const char* kind_of_network = "network";
constexpr int current_version = 1;
constexpr std::size_t longest_name = 200;

struct NumberField {
  const char* name;
  int64_t Layer::*member;
};
constexpr NumberField number_fields[] = {{"channels", &Layer::channels}, {"kernel", &Layer::kernel},
                                         {"stride", &Layer::stride},     {"dilation", &Layer::dilation},
                                         {"padding", &Layer::padding},   {"bias_offset", &Layer::bias_offset}};
struct TextField {
  const char* name;
  std::string Layer::*member;
};
const TextField text_fields[] = {
    {"weight", &Layer::weight}, {"bias", &Layer::bias}, {"mean", &Layer::mean}, {"variance", &Layer::variance}};

Error no_network(const std::string& what, const std::string& where) {
  return invalid(what, where, "Choose a file of a network that Tomoloom wrote");
}

struct Reader {
  const std::string& where;

  [[nodiscard]] Result<int64_t> integer(const NetJson& json, const std::string& what) const {
    if (!json.is_number_integer()) return no_network(what + " is not an integer", where);
    // Beyond int64_t the library gives other numbers; the bounds are far below.
    const auto number = json.get<double>();
    if (!(std::abs(number) < 0x1p50)) return no_network(what + " is too large", where);
    return json.get<int64_t>();
  }
  [[nodiscard]] Result<std::string> text(const NetJson& json, const std::string& what) const {
    if (!json.is_string() || json.get_ref<const std::string&>().size() > longest_name)
      return no_network(what + " is not a string, or too long", where);
    return json.get<std::string>();
  }
  [[nodiscard]] Result<double> number(const NetJson& json, const std::string& what) const {
    if (!json.is_number() || !std::isfinite(json.get<double>())) return no_network(what + " is not a number", where);
    return json.get<double>();
  }
  [[nodiscard]] Result<std::vector<double>> numbers(const NetJson& json, const std::string& what) const {
    if (!json.is_array() || json.size() > static_cast<std::size_t>(max_channels))
      return no_network(what + " is not a list of numbers", where);
    std::vector<double> all;
    for (const NetJson& n : json) {
      TL_TRY(const double one, number(n, what));
      all.push_back(one);
    }
    return all;
  }

  Result<Layer> layer(const NetJson& json, const std::map<std::string, int64_t>& known) const {
    if (!json.is_object() || !json.contains("name") || !json.contains("kind"))
      return no_network("layer " + std::to_string(known.size()) + " has no name or kind", where);
    Layer l;
    TL_TRY(l.name, text(json["name"], "the name of layer " + std::to_string(known.size())));
    const std::string here = "layer " + l.name + ": ";
    for (const auto& [key, value] : json.items()) TL_TRY(field(l, key, value, known, here + key));
    return l;
  }

  Result<void> field(Layer& l, const std::string& key, const NetJson& value,
                     const std::map<std::string, int64_t>& known, const std::string& what) const {
    if (key == "name") return ok();
    for (const NumberField& f : number_fields)
      if (key == f.name) {
        TL_TRY(l.*f.member, integer(value, what));
        return ok();
      }
    for (const TextField& f : text_fields)
      if (key == f.name) {
        TL_TRY(l.*f.member, text(value, what));
        return ok();
      }
    if (key == "kind") {
      const auto kind = value.is_string() ? layer_kind_named(value.get_ref<const std::string&>()) : std::nullopt;
      if (!kind) return invalid(what + " is one that this program does not have", where, "Use a newer version");
      l.kind = *kind;
      return ok();
    }
    if (key == "inputs") {
      if (!value.is_array() || value.size() > static_cast<std::size_t>(max_layers))
        return no_network(what + " are not a list", where);
      for (const NetJson& name : value) {
        TL_TRY(const std::string input, text(name, what));
        const auto found = known.find(input);
        if (found == known.end())
          return no_network(what + " has \"" + input + "\", which is not an earlier layer", where);
        l.inputs.push_back(found->second);
      }
      return ok();
    }
    if (key == "epsilon") {
      TL_TRY(l.epsilon, number(value, what));
      return ok();
    }
    if (key == "border" && value == "mirrored") {
      l.border = Border::mirrored;
      return ok();
    }
    if (key == "interpolation" && value == "linear") {
      l.interpolation = Interpolation::linear;
      return ok();
    }
    return invalid(what + " is not known", where, "Use a newer version");
  }
};

NetJson layer_json(const Layer& l, const std::vector<Layer>& all) {
  const Layer usual;
  NetJson json{{"name", l.name}, {"kind", to_string(l.kind)}};
  if (!l.inputs.empty()) json["inputs"] = NetJson::array();
  for (const int64_t i : l.inputs) json["inputs"].push_back(all[static_cast<std::size_t>(i)].name);
  for (const NumberField& f : number_fields)
    if (l.*f.member != usual.*f.member) json[f.name] = l.*f.member;
  if (l.border == Border::mirrored) json["border"] = "mirrored";
  if (l.interpolation == Interpolation::linear) json["interpolation"] = "linear";
  if (l.epsilon != usual.epsilon) json["epsilon"] = l.epsilon;
  for (const TextField& f : text_fields)
    if (!(l.*f.member).empty()) json[f.name] = l.*f.member;
  return json;
}

Result<void> check_scaling(const Network& network, const std::string& where) {
  const InputScaling& s = network.scaling;
  if (s.mean.size() != s.deviation.size() ||
      (!s.mean.empty() && s.mean.size() != static_cast<std::size_t>(network.layers.front().channels)))
    return no_network("the scaling of the input does not have one mean and deviation per channel", where);
  for (const double d : s.deviation)
    if (!(d > 0)) return no_network("a deviation of the input is not positive", where);
  return ok();
}

}  // namespace

std::string to_json_text(const Network& network) {
  NetJson json{{"kind", kind_of_network},
               {"version", current_version},
               {"architecture", network.architecture},
               {"dims", network.dims}};
  if (network.voxel_size > 0) json["voxel_size"] = network.voxel_size;
  if (!network.scaling.mean.empty())
    json["scaling"] = {{"mean", network.scaling.mean}, {"deviation", network.scaling.deviation}};
  if (!network.classes.empty()) json["labels"] = NetJson::parse(io::to_json_text(LabelTable{network.classes, {}}));
  if (!network.history.empty()) json["history"] = NetJson::parse(to_json_text(network.history));
  json["layers"] = NetJson::array();
  for (const Layer& l : network.layers) json["layers"].push_back(layer_json(l, network.layers));
  return json.dump(-1, ' ', false, NetJson::error_handler_t::replace);
}

Result<Network> network_from_json(std::string_view text, const std::string& where) {
  constexpr int deepest = 16;
  const NetJson json = NetJson::parse(
      text, [](int depth, NetJson::parse_event_t, NetJson&) { return depth <= deepest; }, false);
  if (!json.is_object() || !json.contains("kind") || json["kind"] != kind_of_network)
    return invalid("this model is not a network", where,
                   "Choose a file of a network, or make one with tomoloom network");
  if (!json.contains("version") || json["version"] != current_version)
    return invalid("the network was written by another version of this program", where, "Use a newer version");
  const Reader reader{where};
  Network network;
  if (json.contains("architecture")) {
    constexpr std::size_t longest_text = 2000;
    if (!json["architecture"].is_string() || json["architecture"].get_ref<const std::string&>().size() > longest_text)
      return no_network("its architecture is not a string, or too long", where);
    network.architecture = json["architecture"].get<std::string>();
  }
  if (json.contains("dims")) {
    TL_TRY(network.dims, reader.integer(json["dims"], "dims"));
  }
  if (json.contains("voxel_size")) {
    TL_TRY(network.voxel_size, reader.number(json["voxel_size"], "voxel_size"));
    if (network.voxel_size <= 0) return no_network("its voxel size is not positive", where);
  }
  if (json.contains("scaling")) {
    const NetJson& s = json["scaling"];
    if (!s.is_object() || !s.contains("mean") || !s.contains("deviation"))
      return no_network("its scaling is not an object", where);
    TL_TRY(network.scaling.mean, reader.numbers(s["mean"], "scaling mean"));
    TL_TRY(network.scaling.deviation, reader.numbers(s["deviation"], "scaling deviation"));
  }
  if (json.contains("history")) {
    TL_TRY(network.history, history_from_json(json["history"].dump(), where));
  }
  if (!json.contains("layers") || !json["layers"].is_array() ||
      json["layers"].size() > static_cast<std::size_t>(max_layers))
    return no_network("it has no layers, or too many", where);
  std::map<std::string, int64_t> known;
  for (const NetJson& one : json["layers"]) {
    TL_TRY(Layer l, reader.layer(one, known));
    known.emplace(l.name, static_cast<int64_t>(network.layers.size()));
    network.layers.push_back(std::move(l));
  }
  const auto shapes = tensor_shapes(network);
  if (!shapes.ok()) return invalid(shapes.error().what + " (" + shapes.error().where + ")", where, shapes.error().hint);
  TL_TRY(check_scaling(network, where));
  if (json.contains("labels")) {
    TL_TRY(const LabelTable table, io::label_table_from_json(json["labels"].dump(), where));
    network.classes = table.classes;
    const int64_t out = channels_of(network).or_throw().back();
    if (static_cast<int64_t>(network.classes.size()) != (out == 1 ? 2 : out))
      return no_network("it has " + std::to_string(network.classes.size()) + " classes for " + std::to_string(out) +
                            " channels of its output",
                        where);
  }
  return network;
}

}  // namespace tl::net
