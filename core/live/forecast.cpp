// Forecasts time and memory of a run, from the speed of its nodes so far.
#include "core/live/forecast.h"

#include <algorithm>

#include "core/base/wording.h"
#include "core/graph/bypass.h"
#include "core/graph/upstream.h"

namespace tl::live {

// Exponential forgetting: older runs, on other sizes or a busier machine, count less.
void Rates::Pace::add(double more_seconds, double more_voxels) {
  seconds = 0.5 * seconds + more_seconds;
  voxels = 0.5 * voxels + more_voxels;
  known = true;
}

// The time of a node that measures may contain its measurement, which a run does not repeat. Therefore the fastest of
// at least two samples.
void Rates::Pace::add_measuring(double more_seconds, double more_voxels) {
  known = voxels > 0;
  if (known && more_seconds * voxels >= seconds * more_voxels) return;
  seconds = more_seconds;
  voxels = more_voxels;
}

Rates::News Rates::learn(const Executor& executor, const Registry& registry, const Graph& graph) {
  News news = News::none;
  for (const auto& [node, now] : executor.stats()) {
    NodeStats& before = seen_[node];
    const auto in_graph = graph.nodes.find(node);
    const NodeType* type = in_graph == graph.nodes.end() ? nullptr : registry.find(in_graph->second.type);
    if (type != nullptr && now.voxels > before.voxels) {
      Pace& pace = pace_[type->id];
      const bool was_known = pace.known;
      const double seconds = now.seconds - before.seconds;
      const auto voxels = static_cast<double>(now.voxels - before.voxels);
      type->measure ? pace.add_measuring(seconds, voxels) : pace.add(seconds, voxels);
      if (pace.known && !was_known) news = News::first_speed;
    }
    before = now;
  }
  return news;
}

double Rates::seconds(const std::string& type, int64_t voxels) const {
  const auto found = pace_.find(type);
  if (found == pace_.end() || !found->second.known || !(found->second.voxels > 0)) return -1;
  return found->second.seconds / found->second.voxels * static_cast<double>(voxels);
}

bool Rates::has_run(const std::string& type) const {
  const auto found = pace_.find(type);
  return found != pace_.end() && found->second.voxels > 0;
}

namespace {

// Voxels that a node makes in a whole run: its largest output, or its largest input if it has no output.
int64_t work_of(const std::string& node, const Graph& graph, const std::map<std::string, NodeInspection>& looks) {
  int64_t most = 0;
  for (const auto& [port, info] : looks.at(node).outputs) most = std::max(most, region_bytes(full_region(info), 1));
  if (!looks.at(node).outputs.empty()) return most;
  for (const Link& link : graph.links) {
    if (link.to_node != node) continue;
    const auto& up = looks.at(link.from_node).outputs;
    if (const auto info = up.find(link.from_port); info != up.end())
      most = std::max(most, region_bytes(full_region(info->second), 1));
  }
  return most;
}

// Slices on screen measure the speed of all nodes but the outputs, which run for the first time in a whole run, and the
// nodes that have done nothing but their measurement: they are named instead.
void add_times(Forecast& forecast, const Registry& registry, const Graph& whole,
               const std::map<std::string, NodeInspection>& looks, const Rates& rates) {
  double total = 0;
  for (const auto& [id, node] : whole.nodes) {
    const NodeType* type = registry.find(node.type);
    const double seconds = rates.seconds(node.type, work_of(id, whole, looks));
    if (seconds >= 0) {
      forecast.nodes.push_back({type == nullptr ? id : type->title, seconds});
      total += seconds;
    } else if (type != nullptr && (type->is_output || (type->measure && rates.has_run(type->id)))) {
      forecast.unmeasured.push_back(type->title);
    } else {
      forecast.nodes.clear();
      forecast.unmeasured.clear();
      return;
    }
  }
  forecast.seconds = total;
}

}  // namespace

Forecast make_forecast(Executor& executor, const Registry& registry, const Graph& graph,
                       const std::map<std::string, NodeInspection>& looks, const Rates& rates) {
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
  add_times(forecast, registry, whole, looks, rates);
  return forecast;
}

}  // namespace tl::live
