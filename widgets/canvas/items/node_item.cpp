// NodeItem: shows a card on the canvas from a cached painting, and does its hit tests.
#include "widgets/canvas/items/node_item.h"

#include <algorithm>
#include <cmath>

#include "widgets/canvas/items/card_painter.h"
#include "widgets/language/translated.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr double margin = 14;     // px, room for ports, marks and the shadow
constexpr double reach = 13;      // px, tolerance around the centre of a port
constexpr double dimmed = 0.45;   // opacity
constexpr double wordless = 0.3;  // scale below which cards are painted without text, since text takes most of the time
}  // namespace

NodeItem::NodeItem(RepaintBudget& time) : time_(time) {
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(10);
}

void NodeItem::set_card(Card card) {
  if (card.size != card_.size) {
    prepareGeometryChange();
    painted_ = QPixmap();
  }
  card_ = std::move(card);
  repaint_card();
}

void NodeItem::set_mark(Mark mark) {
  if (mark == mark_) return;
  mark_ = mark;
  setZValue(mark == Mark::none ? 10 : 11);
  repaint_card();
}

void NodeItem::light(const QSet<QString>& ports, Side side) {
  light_ = Light::lit;
  lit_ = ports;
  lit_side_ = side;
  setOpacity(1);
  repaint_card();
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
  repaint_card();
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
    const QString type = translated(to_string(port->type));
    const QString optional =
        port->required || port->side == Side::output ? QString() : QStringLiteral(" · ") + QObject::tr("optional");
    const QString known =
        port->known.isEmpty() ? QString() : QStringLiteral("<br><b>%1</b>").arg(port->known.toHtmlEscaped());
    return QStringLiteral("<b>%1</b> · %2%3<br>%4%5")
        .arg(port->name.toHtmlEscaped(), type, optional, port->help.toHtmlEscaped(), known);
  }
  if (!card_.error.isEmpty())
    return QStringLiteral("<b>%1</b><br>%2").arg(card_.error.toHtmlEscaped(), card_.hint.toHtmlEscaped());
  if (card_.title_area().contains(mapFromScene(scene)))
    return QStringLiteral("<b>%1</b><br>%2").arg(card_.title.toHtmlEscaped(), card_.summary.toHtmlEscaped());
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

void NodeItem::repaint_card() {
  outdated_ = true;
  update();
}

void NodeItem::set_detail(Detail detail) {
  if (detail == detail_) return;
  detail_ = detail;
  update();
}

void NodeItem::repaint(double scale, double ratio, const QFont& font) {
  const QRectF area = boundingRect();
  painted_ = QPixmap((area.size() * scale).toSize().expandedTo({1, 1}));
  painted_.fill(Qt::transparent);
  painted_at_ = scale;
  QPainter inside(&painted_);
  inside.setFont(font);
  inside.scale(painted_.width() / area.width(), painted_.height() / area.height());
  inside.translate(-area.topLeft());
  const CardPainter paint(inside, card_, scale / ratio);
  paint.body(mark_ == Mark::none      ? CardPainter::Edge::plain
             : mark_ == Mark::current ? CardPainter::Edge::current
                                      : CardPainter::Edge::selected);
  paint.ports(lit_, lit_side_);
}

// The card is cached as a pixmap in device pixels. Qt's own item cache repaints at every step of a zoom and holds too
// few cards for a large pipeline.
void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
  const double ratio = painter->device()->devicePixelRatioF();
  const double scale = painter->worldTransform().m11() * ratio;
  const bool wanted = painted_.isNull() || outdated_ || (painted_at_ != scale && detail_ == Detail::sharp);
  late_ = wanted && !time_.may_repaint_card();
  if (wanted && !late_) {
    repaint(scale, ratio, painter->font());
    outdated_ = false;
  } else if (painted_.isNull() && time_.may_paint_wordless()) {
    repaint(std::min(scale, wordless), ratio, painter->font());
    outdated_ = true;
  } else if (painted_.isNull()) {
    painter->fillRect(card_rect(), Theme::instance().color(Token::raised));
    painter->fillRect(card_.title_area(), Theme::instance().color(Token::bar));
    return;
  }
  const QRectF area = boundingRect();
  if (painted_at_ != scale) {
    painter->drawPixmap(area, painted_, QRectF(painted_.rect()));
    return;
  }
  // Aligned to whole device pixels, so that text stays sharp.
  const QTransform world = painter->worldTransform();
  painter->setWorldTransform(QTransform());
  const QPointF corner = world.map(area.topLeft());
  painted_.setDevicePixelRatio(ratio);
  painter->drawPixmap(QPointF(std::round(corner.x() * ratio) / ratio, std::round(corner.y() * ratio) / ratio),
                      painted_);
  painted_.setDevicePixelRatio(1);
  painter->setWorldTransform(world);
}

}  // namespace tl::ui
