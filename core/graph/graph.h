// Graph: a pipeline as a value: nodes, links, parameters and, separately, the layout. Copied for undo, hashed for
// caching.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/node/params.h"
#include "core/node/registry.h"

namespace tl {

// Whether a node is computed. bypassed: its input is passed on to its consumers; muted: it and its branch are left
// out.
enum class NodeUse { active, bypassed, muted };
std::string_view to_string(NodeUse use);

struct GraphNode {
  std::string type;  // "recon.fbp"
  int version = 1;
  std::map<std::string, ParamValue> params;  // only values that were set; the others have their defaults
  NodeUse use = NodeUse::active;
  // For a node of a type or version that this program does not know: the node's JSON object from the file, which is
  // written back unchanged. `type` is then not in the registry. Empty for known nodes.
  std::string kept = {};
  friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

// A link from an output port to an input port, or to a numeric parameter, which it then drives.
struct Link {
  std::string from_node, from_port, to_node, to_port;
  friend bool operator==(const Link&, const Link&) = default;
  friend auto operator<=>(const Link&, const Link&) = default;
};

struct Graph {
  std::string title;
  std::map<std::string, GraphNode> nodes;  // by id, a stable string such as "flat_field"
  std::vector<Link> links;
  std::string learning;  // settings of learning: a JSON object as text (core/learn); "" = none
  std::string ui;        // layout: a JSON object as text, opaque to the core; "" = none
  // If the graph was read from a result: fingerprints of the inputs, by node, from which the result was made. Not part
  // of a pipeline file. A run warns if the inputs differ now.
  std::map<std::string, std::string> made_from = {};

  // The link that ends at a port or parameter, or nullptr.
  [[nodiscard]] const Link* link_into(const std::string& node, const std::string& port) const;
  // A new id made from the type's last part: "fbp", "fbp_2", ...
  [[nodiscard]] std::string free_id(const std::string& type) const;
  friend bool operator==(const Graph&, const Graph&) = default;
};

// Larger graphs are refused: recursive functions need some kilobytes of stack for every node of a chain. No graph drawn
// by hand comes near.
inline constexpr std::size_t max_nodes = 4'000, max_links = 16'000;
inline constexpr std::size_t longest_node_id = 100;  // bytes

// wrong: can never work; unfinished: something is still to be added, which a draft may lack.
enum class ProblemGrade { wrong, unfinished };

// One problem of a graph. Node and name (port or parameter) locate it, so that a reader of files can add the line.
struct GraphProblem {
  Error error;
  std::string node, name;
  std::optional<std::size_t> link = {};  // index into Graph::links if the problem is about a link
  ProblemGrade grade = ProblemGrade::wrong;
};

// All problems that can be found without data: unknown types, ports and parameters, values out of range, links between
// different types, two links into one port, missing required links (of nodes that are computed: see bypass.h), cycles,
// links to parameters that are not numbers, bypassed nodes without an input to pass on. Empty if there are none.
std::vector<GraphProblem> problems(const Graph& graph, const Registry& registry);

// The declaration of a node; nullptr if the graph has no node of that name, or the registry does not have its type.
const NodeType* find_node_type(const Graph& graph, const Registry& registry, const std::string& node);

// ok() within the limits above.
Result<void> check_size(const Graph& graph);

// Node ids in topological order (every node after its inputs). Invalid if there is a cycle.
Result<std::vector<std::string>> topological_order(const Graph& graph);

// Sets one parameter from text, as --set node.param=value does; unknown names are errors with the nearest match.
Result<void> set_param(Graph& graph, const Registry& registry, const std::string& node, const std::string& param,
                       const std::string& text);

}  // namespace tl
