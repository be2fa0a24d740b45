// FrameItem: paints a frame behind a group of cards, and finds its part under the mouse.
#include "widgets/canvas/items/frame_item.h"

#include <QGraphicsScene>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr double title_height = 28;
constexpr double corner = 16;
constexpr double min_title_text = 9;  // px on the screen: smaller text is enlarged, and left out if it does not fit
constexpr int nominal_title_text = 13, largest_text = 20;  // px at zoom 1
}  // namespace

FrameItem::FrameItem() {
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(1);
}
FrameItem::~FrameItem() { update_background(); }

void FrameItem::set_frame(const Layout::Frame& frame) {
  if (frame == frame_) return;
  update_background();
  prepareGeometryChange();
  frame_ = frame;
  update_background();
}
void FrameItem::set_mark(Mark mark) {
  if (mark == mark_) return;
  mark_ = mark;
  update_background();
}

void FrameItem::update_background() {
  if (scene() != nullptr) scene()->invalidate(sceneBoundingRect(), QGraphicsScene::BackgroundLayer);
}

QRectF FrameItem::title_area() const { return {frame_.area.topLeft(), QSizeF(frame_.area.width(), title_height)}; }
QRectF FrameItem::corner_area() const {
  return {frame_.area.bottomRight() - QPointF(corner, corner), QSizeF(corner, corner)};
}
QRectF FrameItem::boundingRect() const { return frame_.area.adjusted(-2, -2, 2, 2); }

void FrameItem::paint(QPainter* /*painter*/, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {}

void FrameItem::paint_background(QPainter* painter) const {
  const Theme& theme = Theme::instance();
  painter->setRenderHint(QPainter::Antialiasing);
  QColor ground = theme.color(Token::raised);
  ground.setAlphaF(0.45F);
  painter->setPen(QPen(theme.color(mark_ == Mark::selected ? Token::accent : Token::border), 1.5));
  painter->setBrush(ground);
  painter->drawRoundedRect(frame_.area, Theme::card_radius, Theme::card_radius);
  paint_comment(*painter);
  painter->setPen(QPen(theme.color(Token::border), 1.5));
  const QPointF end = frame_.area.bottomRight() - QPointF(5, 5);
  painter->drawLine(end - QPointF(8, 0), end - QPointF(0, 8));
  painter->drawLine(end - QPointF(4, 0), end - QPointF(0, 4));
}

void FrameItem::paint_comment(QPainter& painter) const {
  const double wanted = std::ceil(min_title_text / painter.worldTransform().m11());
  if (!(wanted <= largest_text)) return;
  QFont font = Theme::text_font();
  font.setWeight(QFont::DemiBold);
  font.setPixelSize(std::max(nominal_title_text, static_cast<int>(wanted)));
  painter.setFont(font);
  const bool empty = frame_.comment.isEmpty();
  painter.setPen(Theme::instance().color(empty ? Token::text_second : Token::text));
  painter.drawText(title_area().adjusted(12, 0, -12, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   QFontMetricsF(font).elidedText(empty ? QObject::tr("Comment…") : frame_.comment, Qt::ElideRight,
                                                  frame_.area.width() - 24));
}

}  // namespace tl::ui
