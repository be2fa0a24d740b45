// Port shapes: a table of the shapes that are named in the rows of port types.
#include "widgets/canvas/items/port_shape.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string_view>

namespace tl::ui {
namespace {

QPainterPath polygon(const QPointF& centre, double radius, int corners) {
  QPolygonF points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    points << centre + radius * QPointF(std::sin(angle), -std::cos(angle));
  }
  QPainterPath path;
  path.addPolygon(points);
  path.closeSubpath();
  return path;
}

QPainterPath circle(const QPointF& centre, double radius) {
  QPainterPath path;
  path.addEllipse(centre, radius, radius);
  return path;
}

QPainterPath square(const QPointF& centre, double radius) {
  QPainterPath path;
  path.addRect({centre.x() - 0.9 * radius, centre.y() - 0.9 * radius, 1.8 * radius, 1.8 * radius});
  return path;
}

QPainterPath bars(const QPointF& centre, double radius) {
  QPainterPath path;
  for (int i = -1; i <= 1; ++i)
    path.addRect({centre.x() - radius, centre.y() + 0.75 * i * radius - 0.22 * radius, 2 * radius, 0.45 * radius});
  return path;
}

enum class Look { filled, outlined, on_ground };

struct Shape {
  std::string_view key;  // of core/values/port_types
  QPainterPath (*path)(const QPointF& centre, double radius);
  Look look = Look::filled;
};

constexpr Shape shapes[] = {
    {"circle", circle},
    {"square", square},
    {"diamond", [](const QPointF& centre, double radius) { return polygon(centre, 1.25 * radius, 4); }},
    {"triangle", [](const QPointF& centre, double radius) { return polygon(centre, 1.25 * radius, 3); }},
    {"hexagon", [](const QPointF& centre, double radius) { return polygon(centre, 1.1 * radius, 6); }},
    {"pentagon", [](const QPointF& centre, double radius) { return polygon(centre, 1.15 * radius, 5); }},
    {"ring", circle, Look::outlined},
    {"bars", bars, Look::on_ground},
};

const Shape& shape_of(PortType type) {
  const auto* found = std::find_if(std::begin(shapes), std::end(shapes),
                                   [key = row_of(type).shape](const Shape& s) { return s.key == key; });
  TL_CHECK(found != std::end(shapes), "a port type has a shape that cannot be painted");
  return *found;
}

}  // namespace

QPainterPath port_path(PortType type, const QPointF& centre, double radius) {
  return shape_of(type).path(centre, radius);
}

void paint_port(QPainter& painter, PortType type, const QPointF& centre, double radius, const QColor& ground) {
  const Shape& shape = shape_of(type);
  const QColor color = Theme::instance().port_color(type);
  if (shape.look == Look::outlined) {
    painter.setPen(QPen(color, 2));
    painter.setBrush(ground);
    painter.drawPath(shape.path(centre, radius - 1));
    return;
  }
  if (shape.look == Look::on_ground) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRect(QRectF(centre.x() - radius - 1.5, centre.y() - radius - 1.5, 2 * radius + 3, 2 * radius + 3));
  }
  painter.setPen(shape.look == Look::on_ground ? QPen(Qt::NoPen) : QPen(ground, 1.5));
  painter.setBrush(color);
  painter.drawPath(shape.path(centre, radius));
}

}  // namespace tl::ui
