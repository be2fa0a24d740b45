// Forecasts time and memory of a run, from its plan and the rates of its nodes.
#include "core/live/forecast.h"

#include "core/base/wording.h"
#include "core/graph/bypass.h"
#include "core/graph/upstream.h"

namespace tl::live {

namespace {

// Rates come from slices computed for the screen, for all nodes except outputs, which first run in a whole run, and
// nodes that have only measured: these are listed as unmeasured. Cached results take no time.
void add_times(Forecast& forecast, const Registry& registry, const Graph& whole, const Plan& plan,
               const std::map<std::string, NodeInspection>& looks, const Rates& rates, const Graph& drawn) {
  double total = 0;
  for (const auto& [id, node] : whole.nodes) {
    const NodeType* type = registry.find(node.type);
    const auto work = plan.work.find(id);
    const bool to_be_measured = type != nullptr && type->measure && !looks.at(id).findings;
    double seconds = work == plan.work.end() ? 0 : rates.seconds(node.type, work->second);
    if (seconds >= 0 && to_be_measured) {
      const double measuring = rates.measuring(node.type);
      seconds = measuring < 0 ? -1 : seconds + measuring;
    }
    if (seconds >= 0) {
      if (seconds > 0) forecast.nodes.push_back({type == nullptr ? id : type->title, seconds});
      total += seconds;
    } else if (type != nullptr &&
               (type->is_output || !drawn.nodes.contains(id) || (type->measure && rates.measuring(type->id) >= 0))) {
      forecast.unmeasured.push_back(type->title);
    } else {
      forecast.nodes.clear();
      forecast.unmeasured.clear();
      return;
    }
  }
  forecast.seconds = total;
}

Forecast forecast_outputs(Executor& executor, const Registry& registry, const Graph& graph,
                          const std::map<std::string, NodeInspection>& looks, const Rates& rates, const Graph& drawn) {
  Forecast forecast;
  forecast.budget = executor.options().memory;
  std::vector<std::string> outputs;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    const auto look = looks.find(id);
    const bool active = look == looks.end() || look->second.use == NodeUse::active;
    if (type != nullptr && type->is_output && active) outputs.push_back(id);
  }
  if (outputs.empty()) {
    forecast.why_not = "no node writes a file";
    return forecast;
  }
  const Graph whole = used_graph(upstream_of(graph, outputs), registry).graph;
  for (const auto& [id, node] : whole.nodes) {
    const auto look = looks.find(id);
    if (look != looks.end() && !look->second.error && look->second.waits_for.empty()) continue;
    forecast.why_not = look != looks.end() && look->second.error ? message_for(FrontEnd::window, *look->second.error)
                                                                 : id + " is not ready";
    return forecast;
  }
  const auto plan = executor.forecast(whole);
  if (!plan.ok()) {
    forecast.fits = plan.error().kind != ErrorKind::device;
    forecast.known = !forecast.fits;
    forecast.why_not = message_for(FrontEnd::window, plan.error());
    return forecast;
  }
  forecast.known = true;
  forecast.peak = plan.value().peak;
  add_times(forecast, registry, whole, plan.value(), looks, rates, drawn);
  return forecast;
}

}  // namespace

Forecast make_forecast(Executor& executor, const Registry& registry, const Graph& graph,
                       const std::map<std::string, NodeInspection>& looks, const Rates& rates) {
  return forecast_outputs(executor, registry, graph, looks, rates, graph);
}

Forecast make_forecast_of(std::shared_ptr<const Graph> graph, Executor& executor, const Registry& registry,
                          const Graph& drawn, const Rates& rates) {
  Forecast forecast = forecast_outputs(executor, registry, *graph, executor.look(*graph), rates, drawn);
  forecast.of = std::move(graph);
  return forecast;
}

}  // namespace tl::live
