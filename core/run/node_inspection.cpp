// Finds the state of every node of a graph in topological order, without computing anything.
#include "core/run/node_inspection.h"

#include <utility>

#include "core/graph/bypass.h"
#include "core/graph/link_index.h"
#include "core/run/common/run_resources.h"
#include "core/run/session/session.h"

namespace tl {
namespace {

// Adds the state of a node; its inputs must be in `all`. Nodes with problems are already in `all`.
void inspect(Session& session, const std::string& id, std::map<std::string, NodeInspection>& all) {
  if (all.count(id) != 0) return;
  NodeInspection look;
  if (session.context().is_replaced(id)) {
    all.emplace(id, std::move(look));
    return;
  }
  for (const Link* link : session.context().links().to(id)) {
    if (session.context().has_given(id)) break;
    if (!look.waits_for.empty()) break;
    const NodeInspection& up = all.at(link->from_node);
    if (up.error) look.waits_for = link->from_node;
    if (!up.waits_for.empty()) look.waits_for = up.waits_for;
  }
  if (look.waits_for.empty()) {
    const auto resolved = session.resolver().resolve(id);
    if (resolved.ok()) {
      look.outputs = resolved.value()->outputs;
      look.complete = resolved.value()->complete;
      look.findings = session.findings().find(id, *resolved.value());
      look.key = session.resolver().settings_key(id).value_or(Hash{});
    } else {
      look.error = resolved.error();
    }
  }
  all.emplace(id, std::move(look));
}

// Without links that name a node which does not exist.
Graph with_known_ends(Graph graph) {
  std::erase_if(graph.links, [&](const Link& link) {
    return graph.nodes.count(link.from_node) == 0 || graph.nodes.count(link.to_node) == 0;
  });
  return graph;
}

// Marks muted and bypassed nodes; bypassed ones get the state of the outputs that they pass on.
void add_unused(const Graph& graph, const UsedGraph& used, std::map<std::string, NodeInspection>& all) {
  for (const std::string& id : used.muted) all[id].use = NodeUse::muted;
  for (const auto& [id, node] : graph.nodes)
    if (node.use == NodeUse::bypassed && used.muted.count(id) == 0) all[id].use = NodeUse::bypassed;
  for (const auto& [end, source] : used.passed) {
    const auto from = all.find(source.first);
    const auto to = all.find(end.first);
    if (from == all.end() || to == all.end()) continue;
    if (from->second.error) to->second.waits_for = source.first;
    if (!from->second.waits_for.empty()) to->second.waits_for = from->second.waits_for;
    to->second.key = from->second.key;
    to->second.complete = from->second.complete;
    if (const auto info = from->second.outputs.find(source.second); info != from->second.outputs.end())
      to->second.outputs[end.second] = info->second;
  }
}

}  // namespace

std::map<std::string, NodeInspection> inspect_nodes(RunResources& resources, const Graph& graph) {
  // May run while another call is being cancelled, and must ignore that cancellation.
  struct WithoutCancel {
    RunResources& resources;
    CancelToken before = resources.use_cancel(CancelToken());
    ~WithoutCancel() { resources.use_cancel(std::move(before)); }
  } const without_cancel{resources};
  std::map<std::string, NodeInspection> all;
  const std::vector<GraphProblem> found = problems(graph, resources.registry());
  for (const GraphProblem& p : found) {
    const auto [at, first] = all.try_emplace(p.node);
    if (first) at->second.error = p.error;
  }
  all.erase("");  // a problem of the whole graph, not of a node
  const UsedGraph used = used_graph(graph, resources.registry());
  Session session(resources, used.graph, {}, MeasurementUse::kept, CachedOutputs::shared);
  // In topological order. In a cyclic or too large graph, every node gets that error.
  const auto sized = check_size(graph);
  const auto order =
      sized.ok() ? topological_order(with_known_ends(used.graph)) : Result<std::vector<std::string>>(sized.error());
  if (order.ok()) {
    for (const std::string& id : order.value()) inspect(session, id, all);
  } else {
    for (const auto& [id, node] : used.graph.nodes) {
      const auto [at, first] = all.try_emplace(id);
      if (first) at->second.error = order.error();
    }
  }
  add_unused(graph, used, all);
  return all;
}

}  // namespace tl
