// MakingRoom: moves cards to the right of an inserted one, and back into the gap that a removed one leaves.
#pragma once

#include "core/graph/graph.h"
#include "widgets/session/layout.h"

namespace tl::ui {

// Places the card of a node that was inserted into links: next to the previous card, in the row of the chain. Later
// cards move to the right, together with those they would cover; frames around them grow or move.
void make_room(Layout& layout, const Graph& graph, const Registry& registry, const std::string& node);

// Moves the cards after a removed node to its position, as far as no cards overlap and every card stays right of its
// inputs. `before` and `after` are the graph with the node, and without it but with its ends joined.
void close_gap(Layout& layout, const Graph& before, const Graph& after, const Registry& registry,
               const std::string& removed);

}  // namespace tl::ui
