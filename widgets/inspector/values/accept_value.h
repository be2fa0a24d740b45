// Accepting a found value: writes it into the pipeline as a parameter, so that it is not measured again.
#pragma once

#include "core/graph/graph.h"

namespace tl::ui {

// Whether accept_value() can write the value of this scalar output: it drives parameters, or the node passes on data
// for which another node could set the same value.
bool can_accept(const Graph& graph, const Registry& registry, const std::string& node, const std::string& port);

// Writes the value into the parameters that the output drives and removes those links. If it drives none, inserts a
// node that sets the value after the one that found it, and bypasses the latter. Errors: neither is possible.
Result<void> accept_value(Graph& graph, const Registry& registry, const std::string& node, const std::string& port,
                          const Number& value);

// The node type that sets by hand what `port` of `finder` finds: it passes on the same type of data, has a learnable
// number of that name, and measures nothing. nullptr if there is none.
const NodeType* setter_for(const Registry& registry, const NodeType& finder, const std::string& port);

}  // namespace tl::ui
