// CanvasView: painting of a frame: the background with its dots, and how the view follows scrolling.
#include <QPainter>
#include <cmath>

#include "widgets/canvas/canvas_view.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

void CanvasView::paintEvent(QPaintEvent* event) {
  scene_.repaint_budget().begin_frame();
  QGraphicsView::paintEvent(event);
  scene_.repaint_budget().end_frame();
  if (scene_.repaint_budget().is_late()) next_frame_timer_.start();
}

// The clip region is the newly visible part, often two strips along two sides: each is painted separately, so that
// nothing is drawn for the area between them.
void CanvasView::drawBackground(QPainter* painter, const QRectF& area) {
  const QTransform to_view = painter->worldTransform();
  painter->save();
  painter->resetTransform();
  const QRegion parts = painter->hasClipping() ? painter->clipRegion() : QRegion(to_view.mapRect(area).toAlignedRect());
  painter->restore();
  for (const QRect& part : parts) {
    painter->save();
    painter->resetTransform();
    painter->setClipRect(part);
    painter->setWorldTransform(to_view);
    const QRectF shown = to_view.inverted().mapRect(QRectF(part));
    paint_ground(*painter, shown);
    scene_.paint_behind_cards(*painter, shown);
    painter->restore();
  }
}

// One colour with a grid of dots.
void CanvasView::paint_ground(QPainter& painter, const QRectF& area) const {
  const Theme& theme = Theme::instance();
  painter.fillRect(area, theme.color(Token::background));
  const double zoom = transform().m11();
  const double step = zoom < 0.5 ? 4 * grid_step : grid_step;
  if (zoom < 0.2) return;
  // Faint in every theme, since borders can be as bright as text.
  QColor dot = theme.color(Token::text_second);
  dot.setAlphaF(0.22F);
  // There are about ten thousand dots per frame: one row is painted into a pixmap and copied to the other rows.
  const QTransform to_view = painter.worldTransform();
  const double size = devicePixelRatioF() < 1.5 ? 2 : 1.5;
  const QRect room = to_view.mapRect(area).toAlignedRect();
  if (room.isEmpty()) return;
  QPixmap row(QSizeF(room.width() * devicePixelRatioF(), std::ceil(size * devicePixelRatioF())).toSize());
  row.setDevicePixelRatio(devicePixelRatioF());
  row.fill(theme.color(Token::background));
  QPainter dots(&row);
  const double left = std::floor(area.left() / step) * step, top = std::floor(area.top() / step) * step;
  for (double x = left; x < area.right(); x += step)
    dots.fillRect(QRectF(std::round(to_view.map(QPointF(x, 0)).x()) - room.left(), 0, size, size), dot);
  dots.end();
  painter.resetTransform();
  for (double y = top; y < area.bottom(); y += step)
    painter.drawPixmap(QPointF(room.left(), std::round(to_view.map(QPointF(0, y)).y())), row);
  painter.setWorldTransform(to_view);
}

void CanvasView::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  Q_EMIT view_changed();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  Q_EMIT view_changed();
}

}  // namespace tl::ui
