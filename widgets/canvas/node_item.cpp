// Placing and hit-testing of a card.
#include "widgets/canvas/node_item.h"

#include "widgets/canvas/card_painter.h"

namespace tl::ui {
namespace {
constexpr double margin = 14;    // px, room for ports, marks and the shadow
constexpr double reach = 13;     // px, around the middle of a port
constexpr double dimmed = 0.45;  // opacity
}  // namespace

NodeItem::NodeItem() {
  setCacheMode(DeviceCoordinateCache);
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(10);
}

void NodeItem::set_card(Card card) {
  if (card.size != card_.size) prepareGeometryChange();
  card_ = std::move(card);
  update();
}

void NodeItem::set_mark(Mark mark) {
  if (mark == mark_) return;
  mark_ = mark;
  setZValue(mark == Mark::none ? 10 : 11);
  update();
}

void NodeItem::light(const QSet<QString>& ports, Side side) {
  light_ = Light::lit;
  lit_ = ports;
  lit_side_ = side;
  setOpacity(1);
  update();
}
void NodeItem::dim() {
  light_ = Light::dimmed;
  lit_.clear();
  setOpacity(dimmed);
}
void NodeItem::clear_light() {
  if (light_ == Light::none) return;
  light_ = Light::none;
  lit_.clear();
  setOpacity(1);
  update();
}

const CardPort* NodeItem::port_near(const QPointF& scene) const {
  const QPointF at = mapFromScene(scene);
  const CardPort* nearest = nullptr;
  double best = reach * reach;
  for (const CardPort& port : card_.ports) {
    const QPointF d = port.at - at;
    const double square = QPointF::dotProduct(d, d);
    if (square > best) continue;
    best = square;
    nearest = &port;
  }
  return nearest;
}

QString NodeItem::tip(const QPointF& scene) const {
  if (const CardPort* port = port_near(scene)) {
    const QString type = QString::fromUtf8(to_string(port->type).data());
    return QStringLiteral("<b>%1</b> · %2%3<br>%4")
        .arg(port->name.toHtmlEscaped(), type,
             port->required || port->side == Side::output ? QString() : QStringLiteral(" · ") + QObject::tr("optional"),
             port->help.toHtmlEscaped());
  }
  if (!card_.error.isEmpty())
    return QStringLiteral("<b>%1</b><br>%2").arg(card_.error.toHtmlEscaped(), card_.hint.toHtmlEscaped());
  if (card_.title_area().contains(mapFromScene(scene))) return card_.summary;
  return {};
}

QRectF NodeItem::boundingRect() const { return card_rect().adjusted(-margin, -margin, margin, margin); }

QPainterPath NodeItem::shape() const {
  QPainterPath path;
  path.addRect(card_rect());
  for (const CardPort& port : card_.ports) path.addEllipse(port.at, reach, reach);
  path.setFillRule(Qt::WindingFill);
  return path;
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
  const CardPainter paint(*painter, card_);
  paint.body(mark_ == Mark::none      ? CardPainter::Edge::plain
             : mark_ == Mark::current ? CardPainter::Edge::current
                                      : CardPainter::Edge::selected);
  paint.ports(lit_, lit_side_);
}

}  // namespace tl::ui
