// Workflows of ewoks (JSON): tasks of ewokstomo and tomwer. Reconstruction is one task in them; one of its inputs is a
// configuration of nabu. https://ewokscore.readthedocs.io, https://ewokstomo.readthedocs.io
#include <algorithm>

#include "core/graph/foreign/nabu.h"

namespace tl::foreign {
namespace {

using json::Json;

constexpr const char* volume_task = "ewokstomo.tasks.reconstruct_volume.ReconstructVolume";
constexpr const char* flats_task = "ewokstomo.tasks.reducedarkflat.ReduceDarkFlat";

// One node of the workflow, with its inputs.
struct Task {
  std::string id, identifier, kind;  // kind: the last part of the identifier, "ReconstructVolume"
  std::vector<std::pair<std::string, Json>> inputs = {};
};

std::string text_in(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string short_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

bool is_reconstruction(const Task& task) {
  return task.kind == "ReconstructVolume" || task.kind == "ReconstructSlice" || task.kind == "NabuSlicesTask" ||
         task.kind == "NabuVolumeTask";
}
bool is_configuration(const std::string& input) {
  return input == "config_dict" || input == "nabu_params" || input == "nabu_config";
}

Result<std::vector<Task>> tasks_of(const json::Document& document) {
  const auto nodes = document.root.find("nodes");
  if (nodes == document.root.end() || !nodes->is_array())
    return invalid("a workflow of ewoks has a list of nodes", document.lines.file());
  std::vector<Task> tasks;
  for (const Json& node : *nodes) {
    Task task{text_in(node, "id"), text_in(node, "task_identifier"), ""};
    if (task.id.empty() && node.is_object() && node.contains("id")) task.id = short_text(node["id"]);
    task.kind = task.identifier.substr(task.identifier.rfind('.') + 1);
    const auto inputs = node.is_object() ? node.find("default_inputs") : node.end();
    if (node.is_object() && inputs != node.end() && inputs->is_array())
      for (const Json& input : *inputs)
        if (const std::string name = text_in(input, "name"); !name.empty())
          task.inputs.emplace_back(name, input.contains("value") ? input["value"] : Json());
    tasks.push_back(std::move(task));
  }
  return tasks;
}

// How flats and darks are averaged.
void read_flats(const Task& task, ReadPipeline& read, const Registry& registry) {
  for (const auto& [name, value] : task.inputs) {
    const std::string where = task.id + "." + name, text = short_text(value);
    const auto flat = read.graph.nodes.find("flat_field");
    const ParamDecl* average = registry.find("correct.flat_field")->param("average");
    if (name == "flat_reduction_method" && flat != read.graph.nodes.end() && average->validate(ParamValue{text}).ok())
      flat->second.params["average"] = text;
    else if (name != "nx_path" && name != "overwrite")
      read.lost.push_back(
          {where, text,
           name == "dark_reduction_method" ? "darks are averaged as the flats are" : "this is not known here"});
  }
}

Result<ReadPipeline> read_ewoks(std::string_view text, const std::string& file, const Registry& registry,
                                const ScanFacts& facts) {
  TL_TRY(const json::Document document, json::read_document(text, file));
  if (!document.root.is_object()) return invalid("a workflow of ewoks is an object", file);
  TL_TRY(const std::vector<Task> tasks, tasks_of(document));
  const auto main = std::find_if(tasks.begin(), tasks.end(), is_reconstruction);
  if (main == tasks.end())
    return invalid("this workflow has no task that reconstructs", file,
                   "Known are ReconstructVolume and ReconstructSlice of ewokstomo, NabuSlicesTask and NabuVolumeTask "
                   "of tomwer");
  json::Document config{Json::object(), json::JsonLineNumbers(file)};
  std::vector<Loss> lost;
  for (const auto& [name, value] : main->inputs)
    if (is_configuration(name) && value.is_object()) config.root = value;
  if (!config.root.contains("dataset")) config.root["dataset"] = Json::object();
  for (const auto& [name, value] : main->inputs) {
    if (name == "nx_path" && config.root["dataset"].is_object())
      config.root["dataset"]["location"] = short_text(value);
    else if (!is_configuration(name) || !value.is_object())
      lost.push_back({main->id + "." + name, short_text(value), "this is not known here"});
  }
  TL_TRY(ReadPipeline read, read_nabu(config, main->id + ": ", registry, facts));
  read.lost.insert(read.lost.begin(), lost.begin(), lost.end());
  for (const Task& task : tasks) {
    if (&task == &*main) continue;
    if (task.kind == "ReduceDarkFlat")
      read_flats(task, read, registry);
    else
      read.lost.push_back({task.id, "", "the task " + task.identifier + " is not known here"});
  }
  read.graph.title = text_in(document.root.value("graph", Json::object()), "label");
  return read;
}

Result<WrittenPipeline> write_ewoks(const Graph& graph, const Registry& registry, const ScanFacts& facts) {
  WrittenPipeline written;
  TL_TRY(Json config, write_nabu(graph, registry, facts, written.lost));
  const Json scan = config["dataset"]["location"];
  // Missing values of the configuration are written as null.
  Json inputs = Json::array({{{"name", "nx_path"}, {"value", scan}}, {{"name", "config_dict"}, {"value", config}}});
  Json reduce{{"id", "reduce_task"}, {"task_type", "class"}, {"task_identifier", flats_task}};
  reduce["default_inputs"] = Json::array({{{"name", "nx_path"}, {"value", scan}}});
  for (const auto& [id, node] : graph.nodes) {
    if (node.type != "correct.flat_field") continue;
    const std::string average = to_text(value_of(node, *registry.find(node.type)->param("average")));
    for (const char* which : {"dark_reduction_method", "flat_reduction_method"})
      reduce["default_inputs"].push_back({{"name", which}, {"value", average}});
    // This node has been written after all: its losses are removed.
    std::erase_if(written.lost, [&id = id](const Loss& loss) { return loss.where == id + ".average"; });
    break;
  }
  Json root{{"directed", true}, {"multigraph", false}};
  root["graph"] = {{"id", "tomoloom"}, {"label", graph.title}, {"schema_version", "1.1"}};
  root["nodes"] = Json::array({reduce,
                               {{"id", "volume_reconstruction_task"},
                                {"task_type", "class"},
                                {"task_identifier", volume_task},
                                {"default_inputs", inputs}}});
  root["links"] = Json::array(
      {{{"source", "reduce_task"}, {"target", "volume_reconstruction_task"}, {"data_mapping", Json::array()}}});
  written.text = root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return written;
}

bool looks_like_ewoks(std::string_view text) {
  return text.find("\"nodes\"") != std::string_view::npos && text.find("\"task_identifier\"") != std::string_view::npos;
}

}  // namespace

const PipelineFormat& ewoks_format() {
  static const PipelineFormat format{"ewoks", "ewoks", {}, looks_like_ewoks, read_ewoks, write_ewoks};
  return format;
}

}  // namespace tl::foreign
