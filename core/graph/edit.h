// Edits of a graph as pure functions on the value: what the canvas, the outline and scripts do to a pipeline, with the
// reason when something cannot be done. A function that fails leaves the graph as it was.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tl::edit {

using Ids = std::set<std::string>;

// A new node with its defaults; gives its id.
Result<std::string> add_node(Graph& graph, const Registry& registry, const std::string& type);

// Can this link be made? The error says why not, in a sentence that fits a tooltip: other types, a cycle, the node
// itself, an unknown end, a parameter that is no number. A link that already ends there is no obstacle: it is replaced.
Result<void> may_connect(const Graph& graph, const Registry& registry, const Link& link);
Result<void> connect(Graph& graph, const Registry& registry, const Link& link);
void disconnect(Graph& graph, const Link& link);
// The node and everything that it depends on, or that depends on it.
Ids upstream(const Graph& graph, const std::string& node);
Ids downstream(const Graph& graph, const std::string& node);

// One port of a node type that a link could have at its other end.
struct Fit {
  std::string type, port;
};
// Node types that could follow an output, or stand before an input, of a type; in the order of the registry. One entry
// per node type: its first port that fits, required ones first. Those that could only drive a parameter are left out.
std::vector<Fit> fits_after(const Registry& registry, PortType output);
std::vector<Fit> fits_before(const Registry& registry, PortType input);
// The ports and parameters of a node that an output may be linked to, free required inputs first.
std::vector<std::string> fitting_inputs(const Graph& graph, const Registry& registry, const std::string& from_node,
                                        const std::string& from_port, const std::string& to_node);
// The same the other way: outputs of a node that may feed an input.
std::vector<std::string> fitting_outputs(const Graph& graph, const Registry& registry, const std::string& from_node,
                                         const std::string& to_node, const std::string& to_port);

// Puts a node between the two ends of a link: its first free input of the type, its first output of the type.
Result<void> insert_on_link(Graph& graph, const Registry& registry, const std::string& node, const Link& link);

// What happens to the links around removed nodes.
enum class Gap { open, reconnect };
// With Gap::reconnect, what flowed into a node flows on to what followed it, where the types are the same (the way that
// bypassing takes).
void remove_nodes(Graph& graph, const Registry& registry, const Ids& nodes, Gap gap);

// A part of a graph as pipeline text: the nodes and the links among them. `ui` is the layout of the part (JSON object
// text or ""). Links that come from outside travel apart, so that the text opens as a pipeline of its own.
std::string copy_text(const Graph& graph, const Ids& nodes, const std::string& ui = {});

enum class Incoming { dropped, kept };
struct Pasted {
  std::map<std::string, std::string> ids;  // from the text's id to the new one
  std::string ui;                          // the text's layout
};
// Adds the nodes of a pipeline text under new ids. Incoming::kept also makes the links from outside, where their source
// is still there.
Result<Pasted> paste_text(Graph& graph, const Registry& registry, std::string_view text, Incoming incoming);

// Moves the nodes between active and bypassed or muted: to `use`, or back to active when all of them have it already.
// Bypassing is refused where types differ.
Result<void> toggle_use(Graph& graph, const Registry& registry, const Ids& nodes, NodeUse use);

}  // namespace tl::edit
