// LinkItem: draws a link between two cards as a curve.
#include "widgets/canvas/link_item.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr double catch_width = 12;  // px, maximum distance of the mouse
constexpr int samples = 32;         // points along the curve for distances
constexpr double plain_width = 2;
constexpr double thin = 1.5;  // device px; thinner links are drawn with a pen of one pixel, which is three times faster

QPainterPath cubic(const QPointF& from, const QPointF& to) {
  const double dx = to.x() - from.x();
  const double handle = dx > 0 ? std::max(0.5 * dx, std::min(40.0, dx)) : std::clamp(-0.6 * dx, 60.0, 220.0);
  QPainterPath path(from);
  path.cubicTo(from + QPointF(handle, 0), to - QPointF(handle, 0), to);
  return path;
}
}  // namespace

LinkItem::LinkItem() {
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(5);
}

void LinkItem::set_link(const Link& link, PortType type) {
  link_ = link;
  port_type_ = type;
  update();
}

void LinkItem::set_ends(const QPointF& from, const QPointF& to) {
  if (from == from_ && to == to_) return;
  prepareGeometryChange();
  from_ = from;
  to_ = to;
  path_ = cubic(from, to);
  plain_outline_ = {};
}

void LinkItem::set_look(Look look) {
  if (look == look_) return;
  look_ = look;
  setZValue(look == Look::plain || look == Look::idle ? 5 : 6);
  update();
}

double LinkItem::distance(const QPointF& scene) const {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i <= samples; ++i) {
    const QPointF d = path_.pointAtPercent(static_cast<double>(i) / samples) - scene;
    best = std::min(best, std::hypot(d.x(), d.y()));
  }
  return best;
}

QRectF LinkItem::boundingRect() const { return path_.controlPointRect().adjusted(-8, -8, 8, 8); }

QPainterPath LinkItem::shape() const {
  QPainterPathStroker stroker;
  stroker.setWidth(catch_width);
  return stroker.createStroke(path_);
}

void LinkItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
  const Theme& theme = Theme::instance();
  QColor color = theme.port_color(port_type_);
  double width = plain_width;
  if (look_ == Look::hovered) width = 3.5;
  if (look_ == Look::selected) width = 4;
  if (look_ == Look::refused) color = theme.color(Token::error);
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(Qt::NoBrush);
  if (look_ == Look::selected) {
    painter->setPen(QPen(theme.color(Token::accent), width + 3, Qt::SolidLine, Qt::RoundCap));
    painter->drawPath(path_);
  }
  const bool dashed = look_ == Look::refused || look_ == Look::idle;
  QPen pen(color, width, dashed ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap);
  if (width * painter->deviceTransform().m11() < thin) {
    pen.setWidthF(1);
    pen.setCosmetic(true);
  }
  // Nearly all links look alike and keep their ends while the view is panned: their outline is made once.
  if (look_ == Look::plain && !pen.isCosmetic()) {
    if (plain_outline_.isEmpty()) {
      constexpr double finest = 3;  // zoom at which its straight pieces still look like a curve
      const QTransform enlarged = QTransform::fromScale(finest, finest);
      QPainterPathStroker stroker(pen);
      const QPolygonF outline = stroker.createStroke(path_).toFillPolygon(enlarged);
      plain_outline_.addPolygon(enlarged.inverted().map(outline));
      plain_outline_.setFillRule(Qt::WindingFill);
    }
    painter->fillPath(plain_outline_, color);
    return;
  }
  painter->setPen(pen);
  if (look_ == Look::idle) painter->setOpacity(0.5);
  painter->drawPath(path_);
}

}  // namespace tl::ui
