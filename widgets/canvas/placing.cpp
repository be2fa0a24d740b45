// Placing: finds positions for cards that have none, so that they overlap no others.
#include "widgets/canvas/placing.h"

#include <algorithm>

#include "core/graph/auto_layout.h"
#include "widgets/canvas/items/card.h"

namespace tl::ui {
namespace {

constexpr double gap_x = 40, gap_y = 32;

QSizeF size_of(const Layout& layout, const Graph& graph, const Registry& registry, const std::string& node) {
  return plain_card(graph, registry, node, layout.card(node)).size;
}

std::map<std::string, NodeSize> sizes(const Layout& layout, const Graph& graph, const Registry& registry) {
  std::map<std::string, NodeSize> all;
  for (const auto& [id, node] : graph.nodes) {
    const QSizeF size = size_of(layout, graph, registry, id);
    all[id] = {size.width(), size.height()};
  }
  return all;
}

// The position of a node that has none: right of its source, otherwise left of its target.
QPointF preferred_position(const Layout& layout, const Graph& graph, const Registry& registry,
                           const std::string& node) {
  for (const Link& l : graph.links)
    if (l.to_node == node && layout.card(l.from_node).at)
      return *layout.card(l.from_node).at + QPointF(card_size::width + gap_x, 0);
  for (const Link& l : graph.links)
    if (l.from_node == node && layout.card(l.to_node).at)
      return *layout.card(l.to_node).at - QPointF(card_size::width + gap_x, 0);
  QRectF all;
  for (const auto& [id, card] : layout.cards)
    if (card.at && graph.nodes.count(id) != 0) all |= card_area(layout, graph, registry, id);
  return all.isNull() ? QPointF(0, 0) : QPointF(all.left(), all.bottom() + gap_y);
}

}  // namespace

QRectF card_area(const Layout& layout, const Graph& graph, const Registry& registry, const std::string& node) {
  return {layout.card(node).at.value_or(QPointF()), size_of(layout, graph, registry, node)};
}

QPointF free_position(const Layout& layout, const Graph& graph, const Registry& registry, QPointF wanted,
                      const QSizeF& size, const std::string& except) {
  std::vector<QRectF> taken;
  for (const auto& [id, card] : layout.cards)
    if (card.at && id != except && graph.nodes.count(id) != 0)
      taken.push_back(card_area(layout, graph, registry, id).adjusted(-12, -12, 12, 12));
  for (std::size_t tries = 0; tries <= taken.size(); ++tries) {
    const auto hit =
        std::find_if(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(QRectF(wanted, size)); });
    if (hit == taken.end()) break;
    wanted.setY(hit->bottom() + gap_y / 2);
  }
  return wanted;
}

Layout placed_layout(const Graph& graph, const Registry& registry) {
  Layout layout(graph.ui);
  std::erase_if(layout.cards, [&](const auto& entry) { return graph.nodes.count(entry.first) == 0; });
  const auto placed = [](const auto& entry) { return entry.second.at.has_value(); };
  if (std::none_of(layout.cards.begin(), layout.cards.end(), placed)) {
    arrange(layout, graph, registry);
    return layout;
  }
  const auto order = topological_order(graph);
  std::vector<std::string> ids = order.ok() ? order.value() : std::vector<std::string>();
  if (!order.ok())
    for (const auto& [id, node] : graph.nodes) ids.push_back(id);
  for (const std::string& id : ids) {
    if (graph.nodes.count(id) == 0 || layout.card(id).at) continue;
    const QPointF wanted = preferred_position(layout, graph, registry, id);
    layout.cards[id].at = free_position(layout, graph, registry, wanted, size_of(layout, graph, registry, id), id);
  }
  return layout;
}

void arrange(Layout& layout, const Graph& graph, const Registry& registry) {
  std::optional<QPointF> corner;
  for (const auto& [id, card] : layout.cards)
    if (card.at)
      corner = corner ? QPointF(std::min(corner->x(), card.at->x()), std::min(corner->y(), card.at->y())) : *card.at;
  const auto places = auto_layout(graph, sizes(layout, graph, registry), {gap_x, gap_y});
  for (const auto& [id, at] : places) layout.cards[id].at = QPointF(at.x, at.y) + corner.value_or(QPointF());
}

}  // namespace tl::ui
