// LinkItem: draws a link between two cards as a curve.
#include "widgets/canvas/items/link_item.h"

#include <QGraphicsScene>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/canvas/items/link_route.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr double catch_width = 12;  // px, maximum distance of the mouse
constexpr double plain_width = 2;
constexpr double finest = 3;         // zoom up to which the straight parts of an outline look like a curve
constexpr double piece_length = 60;  // scene px; invisible pieces need not be painted
constexpr double thin = 1.5;  // device px; thinner links are drawn with a pen of one pixel, which is three times faster

double distance_to(const QPointF& from, const QPointF& to, const QPointF& point) {
  const QPointF way = to - from, off = point - from;
  const double length = QPointF::dotProduct(way, way);
  const double along = length == 0 ? 0 : std::clamp(QPointF::dotProduct(off, way) / length, 0.0, 1.0);
  return std::hypot(off.x() - along * way.x(), off.y() - along * way.y());
}

// Points along a path, at most `step` apart; between them it is nearly straight.
QPolygonF points_along(const QPainterPath& path, double step) {
  QPolygonF points;
  const auto lines = path.toSubpathPolygons(QTransform::fromScale(finest, finest));
  for (const QPolygonF& line : lines)
    for (const QPointF& enlarged : line) {
      const QPointF to = enlarged / finest;
      if (!points.isEmpty()) {
        const QPointF from = points.back(), way = to - from;
        const int parts = static_cast<int>(std::ceil(std::hypot(way.x(), way.y()) / step));
        for (int i = 1; i < parts; ++i) points << from + way * i / parts;
      }
      points << to;
    }
  return points;
}
}  // namespace

LinkItem::LinkItem(Layer layer) : layer_(layer) {
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(5);
}
LinkItem::~LinkItem() { update_background(); }

void LinkItem::set_link(const Link& link, PortType type) {
  link_ = link;
  if (type == port_type_) return;
  port_type_ = type;
  update();
  update_background();
}

void LinkItem::set_ends(const QPointF& from, const QPointF& to, const std::vector<QRectF>& cards) {
  const QPainterPath path = link_route(from, to, cards);
  if (path == path_) return;
  update_background();
  prepareGeometryChange();
  path_ = path;
  pieces_.clear();
  update_background();
}

void LinkItem::set_look(Look look) {
  if (look == look_) return;
  const bool was_in_background = is_in_background();
  look_ = look;
  setZValue(look == Look::plain || look == Look::idle ? 5 : 6);
  update();
  if (is_in_background() != was_in_background) update_background();
}

bool LinkItem::is_in_background() const {
  return layer_ == Layer::background && isVisible() && look_ != Look::refused && look_ != Look::idle;
}

void LinkItem::update_background() {
  if (layer_ == Layer::background && scene() != nullptr)
    scene()->invalidate(sceneBoundingRect(), QGraphicsScene::BackgroundLayer);
}

QVariant LinkItem::itemChange(GraphicsItemChange change, const QVariant& value) {
  if (change == ItemVisibleHasChanged) update_background();
  return QGraphicsItem::itemChange(change, value);
}

double LinkItem::distance(const QPointF& scene) const {
  double best = std::numeric_limits<double>::max();
  const auto lines = path_.toSubpathPolygons();
  for (const QPolygonF& line : lines)
    for (qsizetype i = 0; i + 1 < line.size(); ++i) best = std::min(best, distance_to(line[i], line[i + 1], scene));
  return best;
}

QRectF LinkItem::boundingRect() const { return path_.controlPointRect().adjusted(-8, -8, 8, 8); }

QPainterPath LinkItem::shape() const {
  QPainterPathStroker stroker;
  stroker.setWidth(catch_width);
  return stroker.createStroke(path_);
}

void LinkItem::paint_background(QPainter* painter, const QRectF& area) {
  if (is_in_background()) paint_plain(painter, area);
}

// Each piece ends at the two corners where the next one begins: as parts of one path they are filled without a seam.
void LinkItem::make_pieces() {
  const QPolygonF points = points_along(path_, piece_length);
  const qsizetype count = points.size();
  if (count < 2) return;
  const auto across = [&](qsizetype i) {  // half the width, to the left
    const QPointF way = points[std::min(i + 1, count - 1)] - points[std::max<qsizetype>(i - 1, 0)];
    const double length = std::max(std::hypot(way.x(), way.y()), 1e-6);
    return QPointF(-way.y(), way.x()) * (0.5 * plain_width / length);
  };
  for (qsizetype first = 0; first + 1 < count;) {
    qsizetype last = first;
    for (double length = 0; last + 1 < count && length < piece_length; ++last) {
      const QPointF way = points[last + 1] - points[last];
      length += std::hypot(way.x(), way.y());
    }
    QPolygonF outline;
    for (qsizetype i = first; i <= last; ++i) outline << points[i] + across(i);
    for (qsizetype i = last; i >= first; --i) outline << points[i] - across(i);
    pieces_.push_back({outline, outline.boundingRect()});
    first = last;
  }
}

void LinkItem::paint_plain(QPainter* painter, const QRectF& area) {
  const QColor color = Theme::instance().port_color(port_type_);
  painter->setRenderHint(QPainter::Antialiasing);
  if (plain_width * painter->deviceTransform().m11() < thin) {
    QPen pen(color, 1);
    pen.setCosmetic(true);
    painter->strokePath(path_, pen);
    return;
  }
  if (pieces_.empty()) make_pieces();
  QPainterPath in_sight;
  in_sight.setFillRule(Qt::WindingFill);
  for (const Piece& piece : pieces_)
    if (piece.bounds.intersects(area)) in_sight.addPolygon(piece.outline);
  painter->fillPath(in_sight, color);
}

void LinkItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
  if (look_ == Look::plain) {
    if (layer_ == Layer::item) paint_plain(painter, boundingRect());
    return;
  }
  const Theme& theme = Theme::instance();
  const QColor color = look_ == Look::refused ? theme.color(Token::error) : theme.port_color(port_type_);
  const double width = look_ == Look::hovered ? 3.5 : look_ == Look::selected ? 4 : plain_width;
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
  painter->setPen(pen);
  if (look_ == Look::idle) painter->setOpacity(0.5);
  painter->drawPath(path_);
}

}  // namespace tl::ui
