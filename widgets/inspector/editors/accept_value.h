// Accepting a found value: it is written where it is used, so that nothing has to be measured again.
#pragma once

#include "core/graph/graph.h"

namespace tl::ui {

// Whether there is a place for the value of this scalar output: parameters that it drives, or, where the node itself
// hands on what it measured, a node that could set the same value by hand.
bool can_accept(const Graph& graph, const Registry& registry, const std::string& node, const std::string& port);

// Driven parameters get the value, and their links go. Where nothing is driven, a node that sets the value is put
// behind the one that found it, which is bypassed. Errors: there is no such place.
Result<void> accept_value(Graph& graph, const Registry& registry, const std::string& node, const std::string& port,
                          const Number& value);

// The node type that sets by hand what `port` of a type finds: it hands on the same kind of thing, has a number of that
// name, and measures nothing. nullptr: there is none.
const NodeType* setter_for(const Registry& registry, const NodeType& finder, const std::string& port);

}  // namespace tl::ui
