// Finds the position of a hint's node in a chain.
#include <optional>
#include <string>

#include "core/graph/edit.h"
#include "core/run/hints/hint.h"

namespace tl {
namespace {

struct OutputPort {
  std::string node, port;
};

std::optional<OutputPort> output_of(const Graph& graph, const Registry& registry, const std::string& node,
                                    PortTest is) {
  const NodeType* declared = find_node_type(graph, registry, node);
  const PortDecl* port = declared == nullptr ? nullptr : first_port(declared->outputs, is);
  if (port == nullptr) return {};
  return OutputPort{node, port->name};
}

// The node that uses projections from this output and outputs projections, if there is one.
std::optional<OutputPort> next_in_chain(const Graph& graph, const Registry& registry, const OutputPort& from) {
  for (const Link& link : graph.links) {
    if (link.from_node != from.node || link.from_port != from.port) continue;
    const NodeType* type = find_node_type(graph, registry, link.to_node);
    if (type == nullptr || type->input(link.to_port) == nullptr) continue;
    if (const auto next = output_of(graph, registry, link.to_node, is_scan)) return next;
  }
  return {};
}

// The last output of the chain of projections after which a node against this kind of problem can be inserted.
OutputPort last_before(const Graph& graph, const Registry& registry, OutputPort at, HintKind kind) {
  if (kind == HintKind::saturation || kind == HintKind::zingers) return at;
  OutputPort best = at;
  for (std::size_t steps = 0; steps < graph.nodes.size(); ++steps) {
    const auto next = next_in_chain(graph, registry, at);
    if (!next) break;
    at = *next;
    const std::string& type = graph.nodes.at(at.node).type;
    const bool correction = registry.find(type)->category == "Correction";
    if (kind == HintKind::axis || correction) best = at;
  }
  return best;
}

std::optional<OutputPort> first_volume(const Graph& graph, const Registry& registry, const std::string& source) {
  const Result<std::vector<std::string>> order = topological_order(graph);
  if (!order.ok()) return {};
  const edit::Ids after = edit::downstream(graph, source);
  for (const std::string& id : order.value())
    if (id != source && after.count(id) != 0)
      if (const auto found = output_of(graph, registry, id, is_volume)) return found;
  return {};
}

}  // namespace

Result<std::string> add_hint_node(Graph& graph, const Registry& registry, const Hint& hint) {
  const NodeType* type = registry.find(hint.node);
  if (type == nullptr) return invalid("no node repairs this", std::string(to_string(hint.kind)), hint.advice);
  const bool on_volume = first_port(type->inputs, is_scan) == nullptr;
  std::optional<OutputPort> at =
      on_volume ? first_volume(graph, registry, hint.source) : output_of(graph, registry, hint.source, is_scan);
  if (!at)
    return invalid("the pipeline has no position for \"" + type->title + "\"", hint.source,
                   on_volume ? "Add a reconstruction first" : "");
  if (!on_volume) at = last_before(graph, registry, *at, hint.kind);
  Graph changed = graph;
  TL_TRY(const std::string id, edit::add_node(changed, registry, hint.node));
  changed.nodes[id].params = hint.params;
  const PortTest passes = on_volume ? is_volume : is_scan;
  const PortDecl *in = first_port(type->inputs, passes), *out = first_port(type->outputs, passes);
  if (in == nullptr || out == nullptr) return invalid("\"" + type->title + "\" does not pass its input on");
  for (Link& link : changed.links)
    if (link.from_node == at->node && link.from_port == at->port) {
      link.from_node = id;
      link.from_port = out->name;
    }
  TL_TRY(edit::connect(changed, registry, {at->node, at->port, id, in->name}));
  graph = std::move(changed);
  return id;
}

}  // namespace tl
