// Link route: tries horizontal lines along the edges of the cards in between, the shortest detour first.
#include "widgets/canvas/items/link_route.h"

#include <algorithm>
#include <cmath>

namespace tl::ui {
namespace {

constexpr double port_gap = 18;     // px from a port to the corner of the route: within the gap between two columns
constexpr double lane_gap = 12;     // px between a card and the line above or below it
constexpr double bend_radius = 10;  // px
constexpr double inset = 3;         // px of a card's edge that a link may overlap
constexpr double clear = 2;         // px kept clear on both sides of a route
constexpr double sample_step = 6;

QPainterPath cubic(const QPointF& from, const QPointF& to) {
  const double dx = to.x() - from.x();
  const double handle = dx > 0 ? std::max(0.5 * dx, std::min(40.0, dx)) : std::clamp(-0.6 * dx, 60.0, 220.0);
  QPainterPath path(from);
  path.cubicTo(from + QPointF(handle, 0), to - QPointF(handle, 0), to);
  return path;
}

double length_between(const QPointF& a, const QPointF& b) { return std::hypot(b.x() - a.x(), b.y() - a.y()); }

QPainterPath rounded_line(std::vector<QPointF> points) {
  points.erase(std::unique(points.begin(), points.end()), points.end());
  QPainterPath path(points.front());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const double before = length_between(points[i - 1], points[i]), after = length_between(points[i], points[i + 1]);
    const double r = std::min({bend_radius, before / 2, after / 2});
    path.lineTo(points[i] + (points[i - 1] - points[i]) * (r / before));
    path.quadTo(points[i], points[i] + (points[i + 1] - points[i]) * (r / after));
  }
  path.lineTo(points.back());
  return path;
}

}  // namespace

bool passes_behind(const QPainterPath& path, const std::vector<QRectF>& cards) {
  std::vector<QRectF> near;
  for (const QRectF& card : cards)
    if (path.controlPointRect().intersects(card)) near.push_back(card.adjusted(inset, inset, -inset, -inset));
  if (near.empty()) return false;
  const auto lines = path.toSubpathPolygons();
  for (const QPolygonF& line : lines)
    for (qsizetype i = 0; i + 1 < line.size(); ++i) {
      const int parts = std::max(1, static_cast<int>(std::ceil(length_between(line[i], line[i + 1]) / sample_step)));
      for (int part = 0; part <= parts; ++part) {
        const QPointF at = line[i] + (line[i + 1] - line[i]) * part / parts;
        if (std::any_of(near.begin(), near.end(), [&at](const QRectF& card) { return card.contains(at); })) return true;
      }
    }
  return false;
}

QPainterPath link_route(const QPointF& from, const QPointF& to, const std::vector<QRectF>& cards) {
  QPainterPath direct = cubic(from, to);
  if (!passes_behind(direct, cards)) return direct;
  const double out = from.x() + port_gap, in = to.x() - port_gap;
  std::vector<double> lanes{from.y(), to.y()};
  std::vector<QRectF> near;
  for (const QRectF& card : cards) {
    if (card.right() < std::min(out, in) - clear || card.left() > std::max(out, in) + clear) continue;
    near.push_back(card);
    lanes.push_back(card.top() - lane_gap);
    lanes.push_back(card.bottom() + lane_gap);
  }
  std::stable_sort(lanes.begin(), lanes.end(), [&](double a, double b) {
    const auto detour = [&](double y) { return std::abs(y - from.y()) + std::abs(y - to.y()); };
    return detour(a) < detour(b);
  });
  const auto is_free = [&near](const QPointF& a, const QPointF& b) {
    const QRectF along = QRectF(a, b).normalized().adjusted(-clear, -clear, clear, clear);
    return std::none_of(near.begin(), near.end(), [&along](const QRectF& card) { return card.intersects(along); });
  };
  for (const double y : lanes) {
    const QPointF first(out, y), last(in, y);
    if (is_free({out, from.y()}, first) && is_free(first, last) && is_free(last, {in, to.y()}))
      return rounded_line({from, {out, from.y()}, first, last, {in, to.y()}, to});
  }
  return direct;
}

}  // namespace tl::ui
