// Graph: a pipeline as a value: nodes, links, parameters, and the layout apart. Copied for undo, hashed for caching.
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

// Whether a node takes part: bypassed, its input passes through to what follows; muted, it and its branch are left out.
enum class NodeUse { active, bypassed, muted };
std::string_view to_string(NodeUse use);

struct GraphNode {
  std::string type;  // "recon.fbp"
  int version = 1;
  std::map<std::string, ParamValue> params;  // those that were set; the others have their defaults
  NodeUse use = NodeUse::active;
  friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

// From an output port to an input port, or to a numeric parameter which it then drives.
struct Link {
  std::string from_node, from_port, to_node, to_port;
  friend bool operator==(const Link&, const Link&) = default;
  friend auto operator<=>(const Link&, const Link&) = default;
};

struct Graph {
  std::string title;
  std::map<std::string, GraphNode> nodes;  // by id: stable strings such as "flat_field"
  std::vector<Link> links;
  std::string learning;  // what is to be learned and how: a JSON object as text (core/learn); "" = none
  std::string ui;        // layout: a JSON object as text, opaque to the core; "" = none
  // Fingerprints of inputs, by node, that the result was made from which this graph was read from; not part of a
  // pipeline file. A run warns where the inputs are others now.
  std::map<std::string, std::string> made_from = {};

  // The link that ends at a port or parameter, or nullptr.
  [[nodiscard]] const Link* link_into(const std::string& node, const std::string& port) const;
  // A new id made from the type's last part: "fbp", "fbp_2", ...
  [[nodiscard]] std::string free_id(const std::string& type) const;
  friend bool operator==(const Graph&, const Graph&) = default;
};

// A graph beyond these is refused: what walks it keeps some kilobytes for every node of a chain, and nothing that a
// person draws comes near.
inline constexpr std::size_t most_nodes = 4'000, most_links = 16'000;
inline constexpr std::size_t longest_node_id = 100;  // bytes

// Whether something can never work, or only waits for what is still to be added: a draft may hold the latter.
enum class ProblemGrade { wrong, unfinished };

// One thing wrong with a graph; node and name (port or parameter) tell where, so that a file can add its line.
struct GraphProblem {
  Error error;
  std::string node, name;
  std::optional<std::size_t> link = {};  // index into Graph::links when it is about a link
  ProblemGrade grade = ProblemGrade::wrong;
};

// Everything that can be wrong without looking at data: unknown types, ports and parameters, values out of range,
// links of different types, two links into one port, missing required links (of what is computed: see bypass.h),
// cycles, drives of parameters that are not numbers, bypassed nodes that have nothing to pass on. Empty when the graph
// is sound.
std::vector<GraphProblem> problems(const Graph& graph, const Registry& registry);

// ok() within the limits above.
Result<void> check_size(const Graph& graph);

// Node ids in an order in which every node follows its inputs. A cycle: invalid.
Result<std::vector<std::string>> topological_order(const Graph& graph);

// Sets one parameter from text, as --set node.param=value does; unknown names are errors with the nearest match.
Result<void> set_param(Graph& graph, const Registry& registry, const std::string& node, const std::string& param,
                       const std::string& text);

}  // namespace tl
