// Answers questions about a session's graph, and collects statistics and events.
#include "core/run/session/session_context.h"

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <utility>

#include "core/graph/pipeline_paths.h"

namespace tl {
namespace {

// Nodes whose links lead only to given nodes and to other replaced nodes. Given nodes are not included.
std::set<std::string> replaced_nodes(const Graph& graph, const GivenOutputs& given) {
  std::set<std::string> cut, replaced;
  for (const auto& [output, value] : given) cut.insert(output.first);
  const std::set<std::string> given_nodes = cut;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [id, node] : graph.nodes) {
      if (cut.count(id) != 0) continue;
      bool any = false, all = true;
      for (const Link& link : graph.links) {
        if (link.from_node != id) continue;
        any = true;
        all = all && cut.count(link.to_node) != 0;
      }
      if (!any || !all) continue;
      cut.insert(id);
      replaced.insert(id);
      changed = true;
    }
  }
  return replaced;
}

}  // namespace

SessionContext::SessionContext(RunResources& resources, const Graph& graph, ExternalValues external,
                               MeasurementUse measurements)
    : resources_(resources),
      graph_(graph),
      links_(graph_),
      external_(std::move(external)),
      measurements_(measurements) {
  resolve_inputs(graph_, resources_.registry(), options().input_dir);
  for (const auto& [output, value] : resources_.given())
    if (graph_.nodes.count(output.first) != 0) external_.given.try_emplace(output, value);
  if (!external_.given.empty()) replaced_ = replaced_nodes(graph_, external_.given);
}

bool SessionContext::has_given(const std::string& node) const {
  const auto first = external_.given.lower_bound({node, ""});
  return first != external_.given.end() && first->first.first == node;
}

std::optional<Hash> SessionContext::given_key(const std::string& node) const {
  Hasher hasher;
  for (auto at = external_.given.lower_bound({node, ""}); at != external_.given.end() && at->first.first == node;
       ++at) {
    if (!at->second.key) return std::nullopt;
    hasher.add(at->first.second).add(*at->second.key).add(at->second.lasting);
  }
  return hasher.digest();
}

bool SessionContext::is_external(const std::string& node) const {
  const auto named = [&](const auto& entry) { return entry.first.first == node; };
  return std::any_of(external_.parameters.begin(), external_.parameters.end(), named) ||
         std::any_of(external_.given.begin(), external_.given.end(), named);
}

int64_t SessionContext::element_size() const { return static_cast<int64_t>(c10::elementSize(options().dtype)); }

void SessionContext::update_stats(const std::string& node, const std::function<void(NodeStats&)>& change) {
  change(resources_.stats()[node]);
  change(report_.nodes[node]);
}

void SessionContext::send_event(const std::function<void(EventSink&)>& send) const {
  if (EventSink* events = options().events) send(*events);
}

}  // namespace tl
