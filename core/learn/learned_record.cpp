// Writes the file of a learning run: pipeline, parameters and everything on which the result depends.
#include "core/learn/learned_record.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/graph/graph_json.h"
#include "core/graph/pipeline_paths.h"
#include "core/learn/learning.h"
#include "core/run/record/provenance.h"

namespace tl::learn {
namespace {

using Json = nlohmann::ordered_json;

Result<RunReport> report_of(const Graph& graph, const Registry& registry) {
  RunReport report;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType& type = *registry.find(node.type);
    const auto params = type.make_params();
    for (const ParamDecl& decl : type.params) {
      const auto set = node.params.find(decl.name);
      const ParamValue value = set == node.params.end() ? decl.initial : set->second;
      decl.assign(params.get(), to_stored(value));
      const ParamValue shown = decl.path == PathRole::none ? in_unit(decl.read(params.get()), decl.unit) : value;
      report.parameters.push_back({id, decl.name, shown, decl.path, 0, Verdict::none});
    }
    if (!type.fingerprint || node.use != NodeUse::active) continue;
    TL_TRY(const std::string print, type.fingerprint(params.get()));
    if (!print.empty()) report.fingerprints[id] = print;
  }
  return report;
}

}  // namespace

Result<std::string> record_of(const Graph& graph, const Registry& registry, const Settings& settings,
                              const Learned& learned, const RunOptions& options, const std::filesystem::path& folder) {
  const Graph accepted = with_settings(accept(graph, learned), settings);
  TL_TRY(const RunReport report, report_of(accepted, registry));
  Json run = Json::parse(to_json(learned, settings));
  Json parameters = run["parameters"];
  Json all = Json::parse(run_parameters_json(report, folder));
  for (Json& used : all) {
    const bool known = std::any_of(parameters.begin(), parameters.end(), [&](const Json& p) {
      return p["node"] == used["node"] && p["name"] == used["name"];
    });
    if (!known) parameters.push_back(std::move(used));
  }
  run.erase("parameters");
  Json record{{"format", "tomoloom-record"}, {"schema_version", 1}};
  record["pipeline"] = Json::parse(tl::to_json(with_relative_inputs(accepted, registry, folder)));
  record["parameters"] = std::move(parameters);
  record["learning"] = std::move(run);
  record["run"] = Json::parse(provenance_json(options, report));
  return record.dump(2) + "\n";
}

}  // namespace tl::learn
