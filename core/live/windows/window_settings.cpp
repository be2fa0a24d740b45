// Converts values that nodes measured or learned in a window (rotation axis, thresholds) to parameter values that
// reproduce it.
#include "core/live/windows/window_settings.h"

#include <memory>
#include <utility>
#include <variant>

#include "core/graph/bypass.h"
#include "core/graph/link_index.h"
#include "core/node/node_run.h"
#include "core/node/registry.h"
#include "core/run/automatic/batch.h"

namespace tl {
namespace {

Infos inputs_of(const Graph& graph, const std::string& node, const std::map<std::string, NodeInspection>& looks) {
  Infos inputs;
  for (const Link& link : graph.links) {
    const auto look = looks.find(link.from_node);
    if (link.to_node != node || look == looks.end()) continue;
    const auto info = look->second.outputs.find(link.from_port);
    if (info != look->second.outputs.end()) inputs[link.to_port] = info->second;
  }
  return inputs;
}

std::string shown_value(const ParamDecl& decl, const std::shared_ptr<void>& params) {
  return to_text(in_unit(decl.read(params.get()), decl.unit));
}

}  // namespace

void add_found(const Graph& drawn, const Registry& registry, const std::map<std::string, NodeInspection>& looks,
               ComputedWindow& window) {
  const Graph graph = used_graph(drawn, registry).graph;
  const LinkIndex links(graph);
  for (const auto& [id, look] : looks) {
    const auto node = graph.nodes.find(id);
    const NodeType* type = node == graph.nodes.end() ? nullptr : registry.find(node->second.type);
    if (type == nullptr || !look.findings) continue;
    window.found.merge(found_columns({{id, *look.findings}}));
    // A node whose curve or histogram is used measures in each window.
    const bool holds_as_parameter = type->keep_found && !gives_curve(links, *type, id);
    if (holds_as_parameter || type->measure_further) window.measured = true;
    if (!holds_as_parameter) continue;
    const std::shared_ptr<void> asked = make_params(*type, node->second.params),
                                kept = make_params(*type, node->second.params);
    type->keep_found(kept.get(), inputs_of(graph, id, looks), *look.findings);
    for (const ParamDecl& decl : type->params) {
      std::string value = shown_value(decl, kept);
      if (value == shown_value(decl, asked) || !decl.validate(in_unit(decl.read(kept.get()), decl.unit)).ok()) continue;
      window.settings[id + "." + decl.name] = std::move(value);
    }
  }
}

void add_learned(const Graph& graph, const std::vector<learn::Target>& targets, ComputedWindow& window) {
  for (const learn::Target& target : targets) {
    const auto node = graph.nodes.find(target.node);
    if (node == graph.nodes.end()) continue;
    const auto value = node->second.params.find(target.name);
    if (value == node->second.params.end() || std::holds_alternative<NumberArray>(value->second)) continue;
    window.settings[target.node + "." + target.name] = to_text(value->second);
  }
}

}  // namespace tl
