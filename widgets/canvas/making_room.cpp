// MakingRoom: which cards move, and by how much.
#include "widgets/canvas/making_room.h"

#include <algorithm>
#include <limits>

#include "core/graph/edit.h"
#include "widgets/canvas/items/card.h"
#include "widgets/canvas/placing.h"

namespace tl::ui {
namespace {

constexpr double chain_gap = 40;    // px between an inserted card and its neighbours
constexpr double closest_gap = 20;  // px, to which closing a gap may bring two linked cards
constexpr double clearance = 8;     // px between cards that are not linked

using Areas = std::map<std::string, QRectF>;

Areas areas_of(const Layout& layout, const Graph& graph, const Registry& registry) {
  Areas areas;
  for (const auto& [id, node] : graph.nodes)
    if (layout.card(id).at) areas[id] = card_area(layout, graph, registry, id);
  return areas;
}

bool is_covering(const QRectF& a, const QRectF& b) {
  return a.adjusted(-clearance, -clearance, clearance, clearance).intersects(b);
}

// Moves cards; a frame moves with all of its cards; if only some of them move, its right edge does.
void shift_right(Layout& layout, const Areas& areas, const edit::Ids& moved, double by) {
  for (Layout::Frame& frame : layout.frames) {
    std::size_t inside = 0, moving = 0;
    for (const auto& [id, area] : areas) {
      if (!frame.area.contains(area)) continue;
      ++inside;
      moving += moved.count(id);
    }
    if (moving == 0) continue;
    if (moving == inside)
      frame.area.translate(by, 0);
    else
      frame.area.setRight(std::max(frame.area.left() + Layout::smallest_frame, frame.area.right() + by));
  }
  for (const std::string& id : moved) layout.cards[id].at = *layout.card(id).at + QPointF(by, 0);
}

// The upper left corner of an inserted card. Its row is that of the previous card, or that of the next card if the
// previous one has other links to follow.
QPointF position_in_chain(const Layout& layout, const Graph& graph, const Areas& areas, const std::string& node) {
  const Link *in = nullptr, *out = nullptr;
  for (const Link& link : graph.links) {
    if (link.to_node == node && in == nullptr && areas.count(link.from_node) != 0) in = &link;
    if (link.from_node == node && out == nullptr && areas.count(link.to_node) != 0) out = &link;
  }
  if (in == nullptr) return layout.card(node).at.value_or(QPointF());
  const QRectF source = areas.at(in->from_node);
  const bool branches = std::any_of(graph.links.begin(), graph.links.end(), [&](const Link& link) {
    return link.from_node == in->from_node && link.from_port == in->from_port && link.to_node != node;
  });
  const bool in_row_of_next = branches && out != nullptr;
  return {source.right() + chain_gap, in_row_of_next ? areas.at(out->to_node).top() : source.top()};
}

// Adds the cards that moved ones, or the new one, would cover, repeatedly until there are no more.
void add_covered(edit::Ids& moved, const Areas& areas, const QRectF& fresh, const edit::Ids& fixed, double by) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [id, area] : areas) {
      if (moved.count(id) != 0 || fixed.count(id) != 0 || area.right() <= fresh.left()) continue;
      const bool covered = is_covering(fresh, area) || std::any_of(moved.begin(), moved.end(), [&](const auto& other) {
                             return is_covering(areas.at(other).translated(by, 0), area);
                           });
      if (covered) changed = moved.insert(id).second;
    }
  }
}

}  // namespace

void make_room(Layout& layout, const Graph& graph, const Registry& registry, const std::string& node) {
  Areas areas = areas_of(layout, graph, registry);
  areas.erase(node);
  const QPointF at = position_in_chain(layout, graph, areas, node);
  layout.cards[node].at = at;
  const QRectF fresh = card_area(layout, graph, registry, node);
  edit::Ids moved;
  double by = 0;
  for (const std::string& id : edit::downstream(graph, node)) {
    if (id == node || areas.count(id) == 0 || areas.at(id).right() <= fresh.left()) continue;
    moved.insert(id);
    by = std::max(by, fresh.right() + chain_gap - areas.at(id).left());
  }
  if (by > 0) {
    add_covered(moved, areas, fresh, edit::upstream(graph, node), by);
    shift_right(layout, areas, moved, by);
    for (Layout::Frame& frame : layout.frames) {
      const bool ends_here = frame.area.contains(at) && !frame.area.contains(fresh);
      if (ends_here) frame.area.setRight(fresh.right() + chain_gap / 2);
    }
  }
  layout.cards[node].at = free_position(layout, graph, registry, at, fresh.size(), node);
}

void close_gap(Layout& layout, const Graph& before, const Graph& after, const Registry& registry,
               const std::string& removed) {
  if (!layout.card(removed).at) return;
  const QRectF gap = card_area(layout, before, registry, removed);
  const Areas areas = areas_of(layout, after, registry);
  edit::Ids moved;
  double by = std::numeric_limits<double>::max();
  for (const Link& link : before.links) {
    const auto next = areas.find(link.to_node);
    if (link.from_node != removed || next == areas.end() || next->second.left() < gap.right()) continue;
    if (after.link_into(link.to_node, link.to_port) == nullptr) continue;
    by = std::min(by, next->second.left() - gap.left());
    for (const std::string& id : edit::downstream(after, link.to_node))
      if (areas.count(id) != 0 && areas.at(id).left() >= gap.right()) moved.insert(id);
  }
  if (moved.empty()) return;
  for (const Link& link : after.links) {
    const auto from = areas.find(link.from_node);
    if (from == areas.end() || moved.count(link.from_node) != 0 || moved.count(link.to_node) == 0) continue;
    const double room = areas.at(link.to_node).left() - from->second.right();
    if (room >= 0) by = std::min(by, room - closest_gap);
  }
  const auto is_hit = [&](const std::string& id) {
    return std::any_of(areas.begin(), areas.end(), [&](const auto& other) {
      return moved.count(other.first) == 0 && is_covering(areas.at(id).translated(-by, 0), other.second);
    });
  };
  if (by <= 0 || std::any_of(moved.begin(), moved.end(), is_hit)) return;
  shift_right(layout, areas, moved, -by);
}

}  // namespace tl::ui
