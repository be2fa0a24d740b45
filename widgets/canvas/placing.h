// Placing: a layout in which every node of a graph has a place and no card covers another that was put there by hand.
#pragma once

#include "core/graph/graph.h"
#include "widgets/session/layout.h"

namespace tl::ui {

// The layout in Graph::ui, without entries of nodes that are gone. Nodes that were never placed stand right of what
// feeds them; a graph without any place is laid out as a whole.
Layout placed_layout(const Graph& graph, const Registry& registry);
// All cards anew, in columns, from the upper left corner of where they stand now.
void arrange(Layout& layout, const Graph& graph, const Registry& registry);
// The nearest point at or below `wanted` where a card of the size covers none of the others.
QPointF free_place(const Layout& layout, const Graph& graph, const Registry& registry, QPointF wanted,
                   const QSizeF& size, const std::string& except = {});
QRectF card_area(const Layout& layout, const Graph& graph, const Registry& registry, const std::string& node);

}  // namespace tl::ui
