// Answers questions about a session's graph, and collects statistics and events.
#include "core/run/session/session_context.h"

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <utility>

#include "core/graph/pipeline_paths.h"

namespace tl {

SessionContext::SessionContext(RunResources& resources, const Graph& graph, ExternalValues external,
                               MeasurementUse measurements)
    : resources_(resources),
      graph_(graph),
      links_(graph_),
      external_(std::move(external)),
      measurements_(measurements) {
  resolve_inputs(graph_, resources_.registry(), options().input_dir);
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
