// A checkpoint is a model file: its arrays are "network/TENSOR", and "edges/LAYER", "out/LAYER", "in/LAYER",
// "norms/LAYER" and "fates/LAYER".
#include "core/net/prune/prune_checkpoint.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include "core/io/model/safetensors.h"
#include "core/io/output/output_file.h"
#include "core/net/files/network_file.h"
#include "core/net/network_json.h"

namespace tl::net {
namespace {

using PruneJson = nlohmann::ordered_json;
using Tensors = std::map<std::string, at::Tensor>;
constexpr const char* checkpoint_kind = "pruning checkpoint";
constexpr const char* of_network = "network/";

struct Part {
  const char* prefix;
  Tensors PruneCheckpoint::*tensors;
};
constexpr Part checkpoint_parts[] = {{"edges/", &PruneCheckpoint::edges},
                                     {"out/", &PruneCheckpoint::out},
                                     {"in/", &PruneCheckpoint::in},
                                     {"norms/", &PruneCheckpoint::norms},
                                     {"fates/", &PruneCheckpoint::fates}};

Error no_checkpoint(const std::string& what, const std::filesystem::path& file) {
  return invalid(what, file.string(), "Delete the file, and prune from the start");
}

PruneJson json_of(const PruneStep& s) {
  return {{"step", s.step},
          {"asked", s.asked},
          {"kept", s.kept},
          {"pruned", s.pruned},
          {"paths", s.paths},
          {"redundant", s.redundant},
          {"whole_chains", s.whole_chains}};
}

PruneStep step_of(const PruneJson& json) {
  PruneStep s{.step = json.at("step").get<int64_t>(),
              .asked = json.at("asked").get<double>(),
              .kept = json.at("kept").get<int64_t>(),
              .pruned = json.at("pruned").get<int64_t>(),
              .redundant = json.at("redundant").get<int64_t>(),
              .paths = json.at("paths").get<int64_t>(),
              .whole_chains = json.at("whole_chains").get<bool>()};
  return s;
}

bool is_matrix(const Tensors& all, const std::string& layer, at::IntArrayRef shape, at::ScalarType type) {
  const auto found = all.find(layer);
  return found != all.end() && found->second.sizes().equals(shape) && found->second.scalar_type() == type;
}

// Whether they are channels of the first network, in order.
bool are_channels(const Tensors& all, const std::string& layer, int64_t count, int64_t of) {
  if (!is_matrix(all, layer, {count}, at::kLong)) return false;
  const at::Tensor& channels = all.at(layer);
  return count == 0 || (channels.min().item<int64_t>() >= 0 && channels.max().item<int64_t>() < of &&
                        (count == 1 || channels.diff().gt(0).all().item<bool>()));
}

// Whether the checkpoint can be from a pruning of the first network.
bool fits(const PruneCheckpoint& c, const Network& first) {
  const EdgeMatrices before = all_edges(first), present = all_edges(c.network);
  if (c.norms.size() != before.size() || c.fates.size() != before.size() || c.edges.size() != present.size())
    return false;
  for (const auto& [layer, edges] : before)
    if (!is_matrix(c.norms, layer, edges.sizes(), at::kDouble) || !is_matrix(c.fates, layer, edges.sizes(), at::kInt) ||
        c.out.count(layer) == 0 || c.in.count(layer) == 0)
      return false;
  for (const auto& [layer, edges] : present) {
    const auto larger = before.find(layer);
    if (larger == before.end() || !is_matrix(c.edges, layer, edges.sizes(), at::kBool) ||
        !are_channels(c.out, layer, edges.size(0), larger->second.size(0)) ||
        !are_channels(c.in, layer, edges.size(1), larger->second.size(1)))
      return false;
  }
  for (std::size_t i = 0; i < c.steps.size(); ++i)
    if (c.steps[i].step != static_cast<int64_t>(i) + 1) return false;
  return !c.steps.empty();
}

}  // namespace

Result<void> write_checkpoint(const PruneCheckpoint& c, const std::filesystem::path& file) {
  PruneJson json{{"kind", checkpoint_kind},
                 {"version", 1},
                 {"settings", c.settings},
                 {"steps", PruneJson::array()},
                 {"network", to_json_text(c.network)}};
  for (const PruneStep& s : c.steps) json["steps"].push_back(json_of(s));
  if (c.last_training) json["last_training"] = to_json_text(History{*c.last_training});
  Model model;
  model.description = json.dump(-1, ' ', false, PruneJson::error_handler_t::replace);
  for (const auto& [name, tensor] : c.network.tensors) model.arrays[of_network + name] = tensor.detach().contiguous();
  for (const Part& p : checkpoint_parts)
    for (const auto& [name, tensor] : c.*(p.tensors)) model.arrays[p.prefix + name] = tensor.contiguous();
  return io::write_text(file, io::to_safetensors(model), io::no_inputs(io::Overwrite::replace));
}

Result<PruneCheckpoint> read_prune_checkpoint(const std::filesystem::path& file, const Network& first) {
  TL_TRY(const Model model, io::read_model(file));
  const PruneJson json = PruneJson::parse(model.description, nullptr, false);
  if (!json.is_object() || json.value("kind", PruneJson()) != checkpoint_kind)
    return no_checkpoint("the file is not a checkpoint of a pruning", file);
  if (json.value("version", PruneJson()) != 1)
    return no_checkpoint("the checkpoint is of another version of Tomoloom", file);
  PruneCheckpoint c;
  Model network;
  try {
    c.settings = json.at("settings").get<std::map<std::string, std::string>>();
    network.description = json.at("network").get<std::string>();
    for (const PruneJson& s : json.at("steps")) c.steps.push_back(step_of(s));
    if (json.contains("last_training")) {
      TL_TRY(const History history, history_from_json(json.at("last_training").get<std::string>(), file.string()));
      if (!history.empty()) c.last_training = history.front();
    }
  } catch (const PruneJson::exception&) {
    return no_checkpoint("the checkpoint is damaged", file);
  }
  for (const auto& [name, array] : model.arrays) {
    if (name.rfind(of_network, 0) == 0) network.arrays[name.substr(std::string(of_network).size())] = array.clone();
    for (const Part& p : checkpoint_parts)
      if (name.rfind(p.prefix, 0) == 0) (c.*(p.tensors))[name.substr(std::string(p.prefix).size())] = array.clone();
  }
  TL_TRY(c.network, network_of(network, file.string()));
  if (!fits(c, first)) return no_checkpoint("the checkpoint is damaged, or of another network", file);
  return c;
}

}  // namespace tl::net
