// Plans a run, and computes some slices of it if that is needed to estimate its time.
#include "core/live/run_forecast.h"

#include <algorithm>

#include "core/graph/bypass.h"
#include "core/live/forecast.h"

namespace tl::live {
namespace {

constexpr int64_t probed_slices = 4;

Result<void> compute_some_slices(Executor& executor, const Registry& registry, const Graph& graph) {
  for (const auto& [id, node] : graph.nodes) {
    if (!registry.has_role(node.type, NodeRole::save_volume)) continue;
    const Link* link = graph.link_into(id, "volume");
    if (link == nullptr) continue;
    TL_TRY(const Infos infos, executor.infos(graph, link->from_node));
    const auto* volume = std::get_if<VolumeInfo>(&infos.at(link->from_port));
    if (volume == nullptr) continue;
    const int64_t slices = std::min(probed_slices, volume->grid.nz), first = (volume->grid.nz - slices) / 2;
    TL_TRY(const Value value,
           executor.pull(graph, link->from_node, link->from_port, Region{volume->grid.slab({first, first + slices})}));
  }
  return ok();
}

// "uint16" -> 2. Labels are written as the smallest integer type that can hold them: at most int32.
int64_t bytes_of_number(const GraphNode& node) {
  const auto type = node.params.find("type");
  const auto* name = type == node.params.end() ? nullptr : std::get_if<std::string>(&type->second);
  if (name == nullptr) return 4;
  return *name == "uint8" ? 1 : *name == "uint16" ? 2 : 4;
}

int64_t pixels_read(const Graph& graph, const Registry& registry, const std::map<std::string, Infos>& infos) {
  int64_t bytes = 0;
  for (const auto& [id, node] : graph.nodes) {
    const auto known = infos.find(id);
    if (!registry.has_role(node.type, NodeRole::load_scan) || known == infos.end()) continue;
    for (const auto& [port, info] : known->second) bytes += region_bytes(full_region(info), sizeof(float));
  }
  return bytes;
}

}  // namespace

int64_t output_bytes(const Graph& graph, const Registry& registry, const std::map<std::string, Infos>& infos) {
  int64_t bytes = 0;
  for (const Link& link : graph.links) {
    const auto node = graph.nodes.find(link.to_node);
    const NodeType* type = node == graph.nodes.end() ? nullptr : registry.find(node->second.type);
    const auto from = infos.find(link.from_node);
    if (type == nullptr || !type->is_output || from == infos.end()) continue;
    const auto info = from->second.find(link.from_port);
    if (info == from->second.end() || std::holds_alternative<PlainInfo>(info->second)) continue;
    bytes += region_bytes(full_region(info->second), bytes_of_number(node->second));
  }
  return bytes;
}

Result<RunForecast> forecast_run(const Registry& registry, const Graph& drawn, const RunOptions& options, Rates& rates,
                                 Probe probe) {
  const Graph graph = used_graph(drawn, registry).graph;
  Executor executor(registry, options);
  RunForecast forecast;
  const auto estimate = [&]() -> Result<double> {
    TL_TRY(const Plan plan, executor.forecast(graph));
    forecast.peak = plan.peak;
    return make_forecast(executor, registry, graph, executor.look(graph), rates).seconds;
  };
  TL_TRY(const auto infos, executor.check(graph));
  forecast.output_bytes = output_bytes(graph, registry, infos);
  forecast.input_bytes = pixels_read(graph, registry, infos);
  TL_TRY(forecast.seconds, estimate());
  if (forecast.seconds >= 0 || probe == Probe::none) return forecast;
  TL_TRY(compute_some_slices(executor, registry, graph));
  rates.learn(executor, registry, graph);
  executor.free_cache();
  TL_TRY(forecast.seconds, estimate());
  return forecast;
}

}  // namespace tl::live
