// Minimap: paints the whole pipeline in a corner, and scrolls the canvas to a click.
#include "widgets/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <iterator>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr int view_rest_ms = 120;
constexpr double faded = 0.4;  // opacity
}  // namespace

Minimap::Minimap(CanvasScene& scene, CanvasView& view, QWidget* parent) : QWidget(parent), scene_(scene), view_(view) {
  setFixedSize(150, 74);
  setCursor(Qt::PointingHandCursor);
  setAccessibleName(tr("Minimap"));
  setToolTip(tr("The whole pipeline: click or drag to go there"));
  setAttribute(Qt::WA_Hover);  // repainted when the mouse enters and leaves
  position_timer_.setSingleShot(true);
  position_timer_.setInterval(view_rest_ms);
  connect(&position_timer_, &QTimer::timeout, this, &Minimap::update_position);
  const auto follow = [this] {
    position_timer_.start();
    update();
  };
  connect(&scene, &CanvasScene::synced, this, follow);
  connect(&view, &CanvasView::view_changed, this, follow);
  connect(&scene.editor().selection(), &Selection::changed, this, qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Minimap::set_wanted(Wanted wanted) {
  wanted_ = wanted;
  update_position();
}

bool Minimap::covers_card(const QRect& place) const {
  const auto nodes = scene_.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const NodeItem* node) {
    return view_.mapFromScene(node->scene_rect()).boundingRect().intersects(place);
  });
}

void Minimap::update_position() {
  if (is_dragged_) return;
  const QRect room = parentWidget()->rect();
  const int margin = Theme::space(3);
  const int left = margin, right = room.width() - width() - margin;
  const int top = margin, bottom = room.height() - height() - margin;
  const QPoint corners[] = {{right, bottom}, {left, bottom}, {right, top}, {left, top}};
  const auto* free = std::find_if(std::begin(corners), std::end(corners), [&](const QPoint& corner) {
    return !covers_card(QRect(corner, size()).adjusted(-margin / 2, -margin / 2, margin / 2, margin / 2));
  });
  const bool found = free != std::end(corners);
  const bool all_in_sight = view_.shown_area().contains(scene_.all_cards());
  const bool has_room = room.height() >= 3 * height() && !scene_.nodes().isEmpty();
  // Placed over cards, translucent, only if most of them stay uncovered.
  const bool is_roomy = room.height() >= 5 * height();
  tone_ = found ? Tone::full : Tone::faded;
  move(found ? *free : corners[0]);
  setVisible(wanted_ == Wanted::yes && has_room && (found || (is_roomy && !all_in_sight)));
  update();
}

// Maps all cards, and the visible area unless it is much larger.
QTransform Minimap::to_map() const {
  const QRectF visible_part = view_.shown_area();
  QRectF world = scene_.all_cards().adjusted(-60, -60, 60, 60);
  world |= visible_part.intersected(world.adjusted(-world.width(), -world.height(), world.width(), world.height()));
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
  if (tone_ == Tone::faded && !underMouse()) p.setOpacity(faded);
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
  const QRectF visible_part = t.mapRect(view_.shown_area());
  p.drawRect(visible_part.intersected(QRectF(rect()).adjusted(3.5, 3.5, -3.5, -3.5)));
}

void Minimap::go_to(const QPointF& at) { view_.scroll_by_hand(to_map().inverted().map(at)); }
void Minimap::mousePressEvent(QMouseEvent* event) {
  is_dragged_ = true;
  go_to(event->position());
}
void Minimap::mouseMoveEvent(QMouseEvent* event) {
  if (is_dragged_) go_to(event->position());
}
void Minimap::mouseReleaseEvent(QMouseEvent* /*event*/) {
  is_dragged_ = false;
  position_timer_.start();
}

}  // namespace tl::ui
