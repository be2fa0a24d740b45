// Edits of a graph as functions on the value, used by canvas, outline and scripts. Errors say why an edit is not
// possible; a function that fails leaves the graph unchanged.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tl::edit {

using Ids = std::set<std::string>;

// Adds a node with default parameters and returns its id.
Result<std::string> add_node(Graph& graph, const Registry& registry, const std::string& type);

// Whether this link can be made. The error is short enough for a tooltip: different types, a cycle, a link to the node
// itself, an unknown end, a parameter that is not a number. An existing link into the same port is not an error:
// connect() replaces it.
Result<void> may_connect(const Graph& graph, const Registry& registry, const Link& link);
Result<void> connect(Graph& graph, const Registry& registry, const Link& link);
void disconnect(Graph& graph, const Link& link);
// The node and everything upstream, or downstream, of it.
Ids upstream(const Graph& graph, const std::string& node);
Ids downstream(const Graph& graph, const std::string& node);

// A node type that could be added at the free end of a link, and its port for that link.
struct FittingPort {
  std::string type, port;
};
// Node types that could follow an output, or precede an input, of a type; in the order of the registry. One entry per
// node type: its first port that fits, required ones first. Types that could only drive a parameter are left out.
std::vector<FittingPort> fitting_ports_after(const Registry& registry, PortType output);
std::vector<FittingPort> fitting_ports_before(const Registry& registry, PortType input);
// The inputs and parameters of a node to which an output may be linked, free required inputs first.
std::vector<std::string> fitting_inputs(const Graph& graph, const Registry& registry, const std::string& from_node,
                                        const std::string& from_port, const std::string& to_node);
// The outputs of a node that may be linked to an input.
std::vector<std::string> fitting_outputs(const Graph& graph, const Registry& registry, const std::string& from_node,
                                         const std::string& to_node, const std::string& to_port);

// Inserts a node into a link: at its first free input and its first output of the link's type.
Result<void> insert_on_link(Graph& graph, const Registry& registry, const std::string& node, const Link& link);

// Links an unlinked node after another one. If its input and output types are equal, it is inserted into all links of
// that output; otherwise it becomes a branch at the first output that one of its inputs accepts. Parameters are not
// driven. Invalid if no input fits. Required inputs of other types are linked to the same outputs as those of the node
// before: a classifier after painted labels gets the volume that was painted on.
Result<void> insert_after(Graph& graph, const Registry& registry, const std::string& node, const std::string& before);
// Links free required inputs of `node` to the outputs that feed inputs of the same type of `before`, except inputs of
// the type `linked`, which already links both nodes.
void share_inputs(Graph& graph, const Registry& registry, const std::string& node, const std::string& before,
                  PortType linked);
// Whether an input of a node type accepts an output of a node.
bool may_follow(const Graph& graph, const Registry& registry, const NodeType& type, const std::string& before);

// Whether removing nodes leaves their links open or reconnects their neighbours.
enum class Gap { open, reconnect };
// With Gap::reconnect, the source of a removed node is linked to its consumers if the types are the same (as in
// bypassing).
void remove_nodes(Graph& graph, const Registry& registry, const Ids& nodes, Gap gap);

// Some nodes and the links among them as pipeline text. `ui` is the layout of these nodes (JSON object text or "").
// Links from other nodes are stored separately, so that the text also opens as a pipeline of its own.
std::string copy_text(const Graph& graph, const Ids& nodes, const std::string& ui = {});

enum class Incoming { dropped, kept };
struct Pasted {
  std::map<std::string, std::string> ids;  // from the id in the text to the id in the graph
  std::string ui;                          // the text's layout
};
// Adds the nodes of a pipeline text under new ids. Incoming::kept also restores links from outside nodes that still
// exist.
Result<Pasted> paste_text(Graph& graph, const Registry& registry, std::string_view text, Incoming incoming);

// Sets the nodes to `use` (bypassed or muted), or back to active if all of them have that state already. Bypassing is
// refused if the types do not allow it.
Result<void> toggle_use(Graph& graph, const Registry& registry, const Ids& nodes, NodeUse use);

}  // namespace tl::edit
