// Minimap: paints the whole pipeline in a corner, and scrolls the canvas to a click.
#include "widgets/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include "widgets/theme/theme.h"

namespace tl::ui {

Minimap::Minimap(CanvasScene& scene, CanvasView& view, QWidget* parent) : QWidget(parent), scene_(scene), view_(view) {
  setFixedSize(150, 74);
  setCursor(Qt::PointingHandCursor);
  setAccessibleName(tr("Minimap"));
  setToolTip(tr("The whole pipeline: click or drag to go there"));
  connect(&scene, &CanvasScene::synced, this, qOverload<>(&QWidget::update));
  connect(&view, &CanvasView::view_changed, this, qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

// Maps all cards, and the visible area as far as it is not much larger.
QTransform Minimap::to_map() const {
  const QRectF seen = view_.mapToScene(view_.viewport()->rect()).boundingRect();
  QRectF world = scene_.all_cards().adjusted(-60, -60, 60, 60);
  world |= seen.intersected(world.adjusted(-world.width(), -world.height(), world.width(), world.height()));
  const QRectF room = QRectF(rect()).adjusted(6, 6, -6, -6);
  const double zoom = std::min(room.width() / world.width(), room.height() / world.height());
  QTransform t;
  t.translate(room.center().x(), room.center().y());
  t.scale(zoom, zoom);
  t.translate(-world.center().x(), -world.center().y());
  return t;
}

void Minimap::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = Theme::instance();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(theme.color(Token::border), 1));
  p.setBrush(theme.color(Token::dock));
  p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Theme::button_radius, Theme::button_radius);
  const QTransform t = to_map();
  p.setClipRect(rect().adjusted(3, 3, -3, -3));
  p.setPen(Qt::NoPen);
  for (const FrameItem* frame : scene_.frames()) {
    p.setBrush(theme.color(Token::raised));
    p.drawRect(t.mapRect(frame->frame().area));
  }
  const QStringList& chosen = scene_.editor().selection().nodes();
  for (const NodeItem* node : scene_.nodes()) {
    p.setBrush(theme.color(chosen.contains(node->id()) ? Token::accent : Token::border));
    p.drawRoundedRect(t.mapRect(node->scene_rect()), 1.5, 1.5);
  }
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(theme.color(Token::accent), 1));
  const QRectF seen = t.mapRect(view_.mapToScene(view_.viewport()->rect()).boundingRect());
  p.drawRect(seen.intersected(QRectF(rect()).adjusted(3.5, 3.5, -3.5, -3.5)));
}

void Minimap::go_to(const QPointF& at) { view_.centerOn(to_map().inverted().map(at)); }
void Minimap::mousePressEvent(QMouseEvent* event) { go_to(event->position()); }
void Minimap::mouseMoveEvent(QMouseEvent* event) { go_to(event->position()); }

}  // namespace tl::ui
