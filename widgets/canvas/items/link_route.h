// Link route: the curve of a link: a cubic, or, if that would pass behind cards, a route around them.
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <vector>

namespace tl::ui {

// From an output to an input, in scene coordinates. If the cubic passes behind one of the cards, the route leaves to
// the right, follows a horizontal line above or below the cards in between, the nearest free one, and enters from the
// left. If no such line is free it is the cubic.
QPainterPath link_route(const QPointF& from, const QPointF& to, const std::vector<QRectF>& cards);

// Whether a part of a path is behind one of the cards. Its ends may lie on their edges.
bool passes_behind(const QPainterPath& path, const std::vector<QRectF>& cards);

}  // namespace tl::ui
