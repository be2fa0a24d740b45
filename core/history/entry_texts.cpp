// Fills entries from graphs and records.
#include "core/history/entry_texts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/graph/graph_json.h"
#include "core/graph/pipeline_paths.h"
#include "core/io/bytes/fingerprint.h"
#include "core/node/data_file.h"
#include "core/run/record/record_diff.h"
#include "core/values/hash.h"

namespace tl::history {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Equal for pipelines with the same steps and parameters over different scans.
std::string digest_of(const Graph& graph, const Registry& registry) {
  Graph bare = graph;
  bare.ui.clear();
  bare.title.clear();
  bare.made_from.clear();
  for (auto& [id, node] : bare.nodes)
    if (const NodeType* type = registry.find(node.type))
      for (const ParamDecl& decl : type->params)
        if (decl.path != PathRole::none) node.params.erase(decl.name);
  return Hasher().add(to_json(bare)).digest().text();
}

// Inputs with which a run begins come first: scans before files of angles.
std::vector<File> inputs_in(const Graph& graph, const Registry& registry) {
  std::vector<File> data, others;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (type == nullptr || node.use == NodeUse::muted) continue;
    const ParamDecl* const first = data_file_of(*type);
    for (const ParamDecl& decl : type->params) {
      const auto set = node.params.find(decl.name);
      const auto* path = set == node.params.end() ? nullptr : std::get_if<std::string>(&set->second);
      if (decl.path == PathRole::input && path != nullptr && !path->empty())
        (&decl == first ? data : others).push_back(file_at(*path));
    }
  }
  data.insert(data.end(), others.begin(), others.end());
  return data;
}

std::string value_of(const Json& value) { return value.is_string() ? value.get<std::string>() : text_of(value); }

void add_values(Entry& entry, const Json& record) {
  entry.values.clear();
  if (!record.contains("parameters") || !record["parameters"].is_array()) return;
  for (const Json& p : record["parameters"]) {
    if (!p.is_object()) continue;
    Value value;
    value.node = p.value("node", "");
    value.name = p.value("name", "");
    value.value = value_of(p.value("value", Json()));
    value.unit = p.value("unit", "");
    if (p.contains("uncertainty") && p["uncertainty"].is_number()) value.uncertainty = p["uncertainty"].get<double>();
    if (p.contains("verdict") && p["verdict"].is_string()) value.verdict = p["verdict"].get<std::string>();
    entry.values.push_back(std::move(value));
  }
  std::stable_partition(entry.values.begin(), entry.values.end(), [](const Value& v) { return v.found(); });
}

}  // namespace

File file_at(const fs::path& path) {
  std::error_code failed;
  File file{fs::absolute(path).lexically_normal().string(), {}, 0};
  if (fs::is_directory(file.path, failed)) {
    for (auto at = fs::recursive_directory_iterator(file.path, fs::directory_options::skip_permission_denied, failed);
         !failed && at != fs::recursive_directory_iterator(); at.increment(failed))
      if (at->is_regular_file(failed)) file.bytes += static_cast<int64_t>(at->file_size(failed));
  } else if (fs::is_regular_file(file.path, failed)) {
    file.bytes = static_cast<int64_t>(fs::file_size(file.path, failed));
  }
  return file;
}

void add_fingerprints(std::vector<File>& files) {
  for (File& file : files) {
    std::error_code failed;
    if (!file.fingerprint.empty() || fs::is_character_file(file.path, failed) || !fs::exists(file.path, failed))
      continue;
    if (const auto print = io::fingerprint(file.path); print.ok()) file.fingerprint = print.value();
  }
}

Entry entry_of(Kind kind, const Graph& graph, const Registry& registry, const fs::path& input_dir) {
  Graph whole = graph;
  resolve_inputs(whole, registry, input_dir);
  Entry entry;
  entry.kind = kind;
  entry.title = graph.title;
  entry.digest = digest_of(whole, registry);
  entry.inputs = inputs_in(whole, registry);
  entry.record = text_of({{"pipeline", Json::parse(to_json(whole))}});
  return entry;
}

Result<Graph> pipeline_of(const Entry& entry, const Registry& registry) {
  const Json record = Json::parse(entry.record, nullptr, false);
  if (!record.is_object() || !record.contains("pipeline"))
    return invalid("the entry has no pipeline", "entry " + std::to_string(entry.id));
  return graph_from_json(text_of(record["pipeline"]), registry, "entry " + std::to_string(entry.id),
                         Completeness::draft);
}

void add_results(Entry& entry, const std::vector<fs::path>& files, const Registry& registry) {
  entry.outputs.clear();
  for (const fs::path& path : files) entry.outputs.push_back(file_at(path));
  add_fingerprints(entry.outputs);
  for (const File& file : entry.outputs) {
    std::error_code failed;
    const std::string next_to_it = file.path + ".json";
    const std::string path = fs::is_regular_file(next_to_it, failed) ? next_to_it : file.path;
    if (fs::path(path).extension() != ".json") continue;
    const auto text = text_of_result(path);
    Json record = text.ok() ? Json::parse(text.value(), nullptr, false) : Json();
    if (!record.is_object() || record.value("format", Json()) != "tomoloom-record") continue;
    add_values(entry, record);
    const Json run = record.value("run", Json::object());
    if (run.contains("versions")) entry.version = run["versions"].value("tomoloom", entry.version);
    if (run.contains("device")) entry.device = run["device"].value("name", "");
    const auto graph = load_pipeline(path, registry, Completeness::draft);
    if (graph.ok()) {
      record["pipeline"] = Json::parse(to_json(graph.value()));
      entry.digest = digest_of(graph.value(), registry);
      if (!graph.value().title.empty()) entry.title = graph.value().title;
      if (entry.inputs.empty()) {
        entry.inputs = inputs_in(graph.value(), registry);
        add_fingerprints(entry.inputs);
      }
    }
    entry.record = text_of(record);
    return;
  }
}

}  // namespace tl::history
