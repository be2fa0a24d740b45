// Port shapes: makes and paints the shape of each port type.
#include "widgets/canvas/items/port_shape.h"

#include <QPainter>
#include <QPolygonF>
#include <cmath>
#include <numbers>

namespace tl::ui {
namespace {

QPainterPath polygon(const QPointF& centre, double radius, int corners, double turn) {
  QPolygonF points;
  for (int i = 0; i < corners; ++i) {
    const double angle = turn + 2 * std::numbers::pi * i / corners;
    points << centre + radius * QPointF(std::sin(angle), -std::cos(angle));
  }
  QPainterPath path;
  path.addPolygon(points);
  path.closeSubpath();
  return path;
}

}  // namespace

QPainterPath port_path(PortShape shape, const QPointF& centre, double radius) {
  QPainterPath path;
  switch (shape) {
    case PortShape::circle:
    case PortShape::ring:
      path.addEllipse(centre, radius, radius);
      return path;
    case PortShape::square:
      path.addRect({centre.x() - 0.9 * radius, centre.y() - 0.9 * radius, 1.8 * radius, 1.8 * radius});
      return path;
    case PortShape::diamond:
      return polygon(centre, 1.25 * radius, 4, 0);
    case PortShape::triangle:
      return polygon(centre, 1.25 * radius, 3, 0);
    case PortShape::hexagon:
      return polygon(centre, 1.1 * radius, 6, 0);
    case PortShape::pentagon:
      return polygon(centre, 1.15 * radius, 5, 0);
    case PortShape::bars:
      for (int i = -1; i <= 1; ++i)
        path.addRect({centre.x() - radius, centre.y() + 0.75 * i * radius - 0.22 * radius, 2 * radius, 0.45 * radius});
      return path;
  }
  return path;
}

void paint_port(QPainter& painter, PortType type, const QPointF& centre, double radius, const QColor& ground) {
  const PortShape shape = Theme::port_shape(type);
  const QColor color = Theme::instance().port_color(type);
  if (shape == PortShape::ring) {
    painter.setPen(QPen(color, 2));
    painter.setBrush(ground);
    painter.drawPath(port_path(shape, centre, radius - 1));
    return;
  }
  if (shape == PortShape::bars) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRect(QRectF(centre.x() - radius - 1.5, centre.y() - radius - 1.5, 2 * radius + 3, 2 * radius + 3));
  }
  painter.setPen(shape == PortShape::bars ? QPen(Qt::NoPen) : QPen(ground, 1.5));
  painter.setBrush(color);
  painter.drawPath(port_path(shape, centre, radius));
}

}  // namespace tl::ui
