// Link route: the curve of a link: a cubic, or, where that would pass behind cards, a way around them.
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <vector>

namespace tl::ui {

// From an output to an input, in scene coordinates. If the cubic passes behind one of the cards, the route leaves to
// the right, follows a horizontal line above or below the cards in its way, the nearest that is free, and enters from
// the left. Where no such line is free it is the cubic.
QPainterPath link_route(const QPointF& from, const QPointF& to, const std::vector<QRectF>& cards);

// Whether some of a path lies behind one of the cards. Its ends may lie on their edges.
bool passes_behind(const QPainterPath& path, const std::vector<QRectF>& cards);

}  // namespace tl::ui
