// The shapes of ports: every type has a form of its own, so that colour is never the only difference.
#pragma once

#include <QPainterPath>
#include <QPointF>

#include "widgets/theme/theme.h"

namespace tl::ui {

// Around `centre`; of about the area of a circle of that radius.
QPainterPath port_path(PortShape shape, const QPointF& centre, double radius);
// Filled with the colour of its type; rings and bars show the ground between their lines.
void paint_port(QPainter& painter, PortType type, const QPointF& centre, double radius, const QColor& ground);

}  // namespace tl::ui
