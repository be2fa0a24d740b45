// Placing: layouts in which every node of a graph has a position and automatically placed cards overlap no others.
#pragma once

#include "core/graph/graph.h"
#include "widgets/session/layout.h"

namespace tl::ui {

// The layout in Graph::ui, without entries for nodes that no longer exist. Nodes without a position are placed right of
// their source, or left of their target; a graph without any positions is laid out as a whole.
Layout placed_layout(const Graph& graph, const Registry& registry);
// Lays out all cards again in columns, from the upper left corner of the present layout.
void arrange(Layout& layout, const Graph& graph, const Registry& registry);
// The nearest point at or below `wanted` where a card of this size overlaps no other.
QPointF free_position(const Layout& layout, const Graph& graph, const Registry& registry, QPointF wanted,
                      const QSizeF& size, const std::string& except = {});
QRectF card_area(const Layout& layout, const Graph& graph, const Registry& registry, const std::string& node);

}  // namespace tl::ui
