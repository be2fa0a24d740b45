// Port shapes: every port type has its own shape, so that types do not differ only by colour.
#pragma once

#include <QPainterPath>
#include <QPointF>

#include "widgets/theme/theme.h"

namespace tl::ui {

// The type's shape around `centre`, with about the area of a circle with that radius.
QPainterPath port_path(PortType type, const QPointF& centre, double radius);
// Fills the shape with its type's colour; rings and bars show `ground` between their lines.
void paint_port(QPainter& painter, PortType type, const QPointF& centre, double radius, const QColor& ground);

}  // namespace tl::ui
