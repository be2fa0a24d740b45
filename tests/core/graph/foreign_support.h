// What tests of other programs' pipelines share: reading, writing, values and losses.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/foreign/foreign.h"
#include "core/graph/graph_json.h"
#include "tests/core/graph/foreign_samples.h"
#include "tests/support/test_case.h"

namespace tl::foreign_test {

using foreign::Loss;
using foreign::PipelineFormat;
using foreign::ReadPipeline;
using foreign::ScanFacts;
using foreign::WrittenPipeline;
using test::httomo_list;
using test::nabu_conf;

inline const Registry& registry() { return Registry::all(); }
// 2560 columns: the detector centre is column 1279.5.
inline const ScanFacts known_scan{1801, 2560, 1.5, 53.0, 1000.0};

inline std::string all_losses(const std::vector<Loss>& lost) {
  std::string text;
  for (const Loss& loss : lost) text += to_text(loss) + "\n";
  return text;
}
inline bool names(const std::vector<Loss>& lost, const std::string& where) {
  return std::any_of(lost.begin(), lost.end(), [&](const Loss& loss) {
    return loss.where == where || loss.where.ends_with(where) || loss.where.starts_with(where + ".");
  });
}

// The node of a type, if there is one.
inline const GraphNode* node_of(const Graph& graph, const std::string& type) {
  for (const auto& [id, node] : graph.nodes)
    if (node.type == type) return &node;
  return nullptr;
}
// A parameter as it is used, in its stored unit.
inline std::string used(const GraphNode& node, const ParamDecl& decl) {
  const auto set = node.params.find(decl.name);
  return to_text(to_stored(set == node.params.end() ? decl.initial : set->second));
}
inline std::string value(const Graph& graph, const std::string& type, const std::string& param) {
  const GraphNode* node = node_of(graph, type);
  if (node == nullptr) return "no such node";
  return used(*node, *registry().find(type)->param(param));
}

inline ReadPipeline read(const std::string& id, const std::string& text, const ScanFacts& facts = {}) {
  return foreign::find_pipeline_format(id)->read(text, "file", registry(), facts).or_throw();
}
inline WrittenPipeline write(const std::string& id, const Graph& graph, const ScanFacts& facts = {}) {
  return foreign::find_pipeline_format(id)->write(graph, registry(), facts).or_throw();
}

// Nodes by type and parameters, each linked to the one before it by their first ports.
inline Graph chain(const std::vector<std::pair<std::string, std::map<std::string, std::string>>>& nodes) {
  Graph graph;
  std::string before, port;
  for (const auto& [type, params] : nodes) {
    const NodeType* t = registry().find(type);
    const std::string id = graph.free_id(type);
    graph.nodes[id] = {type, t->version, {}};
    for (const auto& [name, text] : params) set_param(graph, registry(), id, name, text).or_throw();
    if (!before.empty()) graph.links.push_back({before, port, id, t->inputs.front().name});
    before = id;
    port = t->outputs.empty() ? "" : t->outputs.front().name;
  }
  return graph;
}

}  // namespace tl::foreign_test
