// CanvasView: turns mouse, wheel, keys and drops into panning, zooming, selecting, moving and linking.
#include "widgets/canvas/canvas_view.h"

#include <QDateTime>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/theme/keys_follow_mouse.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr double smallest_zoom = 0.1, largest_zoom = 3;
constexpr double zoom_per_step = 1.15;  // per notch of a mouse wheel
constexpr double fit_margin = 32;       // px margin around a fitted area
constexpr int double_escape_ms = 600;
constexpr int zoom_rest_ms = 120;
}  // namespace

CanvasView::CanvasView(CanvasScene& scene, QWidget* parent)
    : QGraphicsView(parent),
      scene_(scene),
      link_drag_(scene),
      move_drag_(scene),
      band_(QRubberBand::Rectangle, viewport()),
      hint_(viewport()) {
  setScene(&scene);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTransformationAnchor(NoAnchor);
  setResizeAnchor(NoAnchor);
  setViewportUpdateMode(SmartViewportUpdate);
  setCacheMode(CacheBackground);  // drawBackground() paints only newly visible parts
  setOptimizationFlag(DontAdjustForAntialiasing);
  setOptimizationFlag(DontSavePainterState);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setAcceptDrops(true);
  setFocusPolicy(Qt::StrongFocus);
  let_keys_follow_mouse(*this, *viewport());
  setAccessibleName(tr("Canvas of the pipeline"));
  setAccessibleDescription(tr("The Outline shows the same pipeline as a list."));
  zoom_end_timer_.setSingleShot(true);
  zoom_end_timer_.setInterval(zoom_rest_ms);
  connect(&zoom_end_timer_, &QTimer::timeout, this, [this] { set_detail(NodeItem::Detail::sharp); });
  next_frame_timer_.setSingleShot(true);
  next_frame_timer_.setInterval(0);
  connect(&next_frame_timer_, &QTimer::timeout, this, [this] {
    const auto nodes = scene_.nodes();
    for (NodeItem* node : nodes)
      if (node->is_late()) node->update();
  });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    resetCachedContent();
    viewport()->update();
  });
}
CanvasView::~CanvasView() = default;

bool CanvasView::is_dragging() const { return tool_ != Tool::none; }

QPointF CanvasView::mouse_in_scene() const {
  const QPoint at = viewport()->mapFromGlobal(QCursor::pos());
  return mapToScene(viewport()->rect().contains(at) ? at : viewport()->rect().center());
}

void CanvasView::zoom_by(double factor, const QPoint& about) {
  const double now = transform().m11();
  const double wanted = std::clamp(now * factor, smallest_zoom, largest_zoom);
  if (wanted == now) return;
  const QPointF before = mapToScene(about);
  set_detail(NodeItem::Detail::scaled);
  zoom_end_timer_.start();
  setTransform(QTransform::fromScale(wanted, wanted));
  const QPointF shift = (mapToScene(about) - before) * wanted;
  pan_by(shift.toPoint());
  Q_EMIT view_changed();
}

void CanvasView::set_detail(NodeItem::Detail detail) {
  const auto nodes = scene_.nodes();
  for (NodeItem* node : nodes) node->set_detail(detail);
}

void CanvasView::pan_by(const QPoint& pixels) {
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - pixels.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() - pixels.y());
}

void CanvasView::show_area(const QRectF& area, double min_zoom) {
  if (area.isEmpty()) return;
  const QSizeF room = QSizeF(viewport()->size()) - QSizeF(2 * fit_margin, 2 * fit_margin);
  const double zoom = std::clamp(std::min(room.width() / area.width(), room.height() / area.height()),
                                 std::max(min_zoom, smallest_zoom), 1.0);
  setTransform(QTransform::fromScale(zoom, zoom));
  centerOn(area.center());
  Q_EMIT view_changed();
}

void CanvasView::scroll_by_hand(const QPointF& centre) {
  centerOn(centre);
  Q_EMIT moved_by_hand();
}

QRectF CanvasView::shown_area() const { return mapToScene(viewport()->rect()).boundingRect(); }

void CanvasView::choose_card(const NodeItem& item, Qt::KeyboardModifiers keys) {
  Selection& selection = scene_.editor().selection();
  QStringList nodes = selection.nodes();
  const bool chosen = nodes.contains(item.id());
  if ((keys & (Qt::ShiftModifier | Qt::ControlModifier)) != 0) {
    if (chosen)
      nodes.removeAll(item.id());
    else
      nodes << item.id();
    selection.set(nodes, chosen ? (nodes.isEmpty() ? QString() : nodes.back()) : item.id());
  } else {
    selection.set(chosen ? nodes : QStringList{item.id()}, item.id());
  }
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
  if (tool_ != Tool::none) return;
  setFocus(Qt::MouseFocusReason);
  press_ = last_ = event->pos();
  const bool pan = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_held_);
  if (pan) {
    tool_ = Tool::pan;
    space_used_ = true;
    viewport()->setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    press(event);
  } else if (event->button() == Qt::RightButton) {
    const NodeItem* item = scene_.node_at(mapToScene(press_));
    if (item != nullptr && !scene_.editor().selection().nodes().contains(item->id()))
      scene_.editor().selection().set_one(item->id());
    LinkItem* link = item == nullptr ? scene_.link_at(mapToScene(press_)) : nullptr;
    if (link != nullptr) scene_.choose_link(link);
  }
}

void CanvasView::press(QMouseEvent* event) {
  const QPointF at = mapToScene(event->pos());
  if (NodeItem* owner = scene_.port_owner_at(at)) {
    tool_ = Tool::link;
    link_drag_.begin(*owner, *owner->port_near(at));
    link_drag_.follow(at);
  } else if (const NodeItem* item = scene_.node_at(at)) {
    choose_card(*item, event->modifiers());
    tool_ = Tool::move;
    move_drag_.begin_cards(at);
  } else if (LinkItem* link = scene_.link_at(at)) {
    scene_.choose_link(link);
  } else if (const auto corner = scene_.frame_corner_at(at)) {
    scene_.choose_frame(corner);
    tool_ = Tool::move;
    move_drag_.begin_corner(*corner, at);
  } else if (const auto frame = scene_.frame_at(at)) {
    scene_.choose_frame(frame);
    tool_ = Tool::move;
    move_drag_.begin_frame(*frame, at);
  } else {
    tool_ = Tool::band;
    const bool adds = (event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier)) != 0;
    before_band_ = adds ? scene_.editor().selection().nodes() : QStringList();
    scene_.choose_link(nullptr);
    scene_.choose_frame({});
    if (!adds) scene_.editor().selection().clear();
  }
}

void CanvasView::band_to(const QPoint& at) {
  band_.setGeometry(QRect(press_, at).normalized());
  band_.show();
  QStringList nodes = before_band_;
  const QStringList inside = scene_.nodes_in(mapToScene(band_.geometry()).boundingRect());
  for (const QString& id : inside)
    if (!nodes.contains(id)) nodes << id;
  scene_.editor().selection().set(nodes, nodes.isEmpty() ? QString() : nodes.back());
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = mapToScene(event->pos());
  const bool began = (event->pos() - press_).manhattanLength() >= QApplication::startDragDistance();
  const QPoint step = event->pos() - last_;
  last_ = event->pos();
  switch (tool_) {
    case Tool::pan:
      pan_by(step);
      Q_EMIT moved_by_hand();
      break;
    case Tool::band:
      if (began || band_.isVisible()) band_to(event->pos());
      break;
    case Tool::move: {
      const bool opposite = (event->modifiers() & Qt::AltModifier) != 0;  // Alt inverts snapping during the drag
      const Snap other = snap_ == Snap::free ? Snap::grid : Snap::free;
      if (began || space_used_) move_drag_.follow(at, opposite ? other : snap_);
      break;
    }
    case Tool::link: {
      const QString why = link_drag_.follow(at);
      if (why.isEmpty())
        hint_.hide();
      else
        hint_.show_comparison(event->pos(), why, HintLabel::Tone::refusal);
      break;
    }
    case Tool::none:
      scene_.hover(scene_.node_at(at) == nullptr ? scene_.link_at(at) : nullptr);
      viewport()->setCursor(space_held_                           ? Qt::OpenHandCursor
                            : scene_.port_owner_at(at) != nullptr ? Qt::CrossCursor
                            : is_to_choose(at)                    ? Qt::PointingHandCursor
                            : scene_.frame_corner_at(at)          ? Qt::SizeFDiagCursor
                                                                  : Qt::ArrowCursor);
      break;
  }
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
  const QPointF at = mapToScene(event->pos());
  const Tool tool = tool_;
  tool_ = Tool::none;
  band_.hide();
  if (tool == Tool::pan) viewport()->setCursor(space_held_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
  const bool dragged = (event->pos() - press_).manhattanLength() >= QApplication::startDragDistance();
  if (tool == Tool::move) {
    move_drag_.finish();
    if (!dragged) click(at);
  }
  if (tool != Tool::link) return;
  hint_.hide();
  if (!dragged) return link_drag_.cancel();
  const LinkDrag::Drop drop = link_drag_.drop(at);
  if (drop.kind == LinkDrag::Drop::Kind::open || drop.kind == LinkDrag::Drop::Kind::choose)
    Q_EMIT link_dropped(drop, at);
}

void CanvasView::click(const QPointF& at) {
  const NodeItem* item = scene_.node_at(at);
  const auto row = item == nullptr ? std::nullopt : item->card().row_at(item->mapFromScene(at));
  if (row) Q_EMIT row_clicked(item->id(), static_cast<int>(*row));
}

bool CanvasView::is_to_choose(const QPointF& at) const {
  const NodeItem* item = scene_.node_at(at);
  const auto row = item == nullptr ? std::nullopt : item->card().row_at(item->mapFromScene(at));
  return row && item->card().rows[*row].to_choose;
}

void CanvasView::abort_drag() {
  link_drag_.cancel();
  if (move_drag_.active()) move_drag_.cancel();
  band_.hide();
  hint_.hide();
  tool_ = Tool::none;
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const QPointF at = mapToScene(event->pos());
  const NodeItem* item = scene_.node_at(at);
  if (scene_.port_owner_at(at) != nullptr) return;
  if (item != nullptr) {
    const QPointF on_card = item->mapFromScene(at);
    if (const auto row = item->card().row_at(on_card))
      Q_EMIT row_edit_wanted(item->id(), static_cast<int>(*row));
    else if (item->card().title_area().contains(on_card))
      Q_EMIT title_edit_wanted(item->id());
    else
      Q_EMIT form_wanted(item->id());
  } else if (const LinkItem* link = scene_.link_at(at)) {
    Q_EMIT link_opened(link->link(), at);
  } else if (const auto frame = scene_.frame_at(at)) {
    Q_EMIT comment_edit_wanted(static_cast<int>(*frame));
  } else {
    Q_EMIT palette_wanted(at);
  }
}

void CanvasView::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() / 120.0;
  if (steps != 0) {
    zoom_by(std::pow(zoom_per_step, steps), event->position().toPoint());
    Q_EMIT moved_by_hand();
  }
  event->accept();
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Space:
      if (event->isAutoRepeat()) return;
      space_held_ = true;
      space_used_ = false;
      viewport()->setCursor(Qt::OpenHandCursor);
      return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: Q_EMIT walk_wanted(event->key()); return;
    case Qt::Key_Escape: escape(); return;
    default: event->ignore();
  }
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return event->ignore();
  const bool tapped = space_held_ && !space_used_;
  space_held_ = false;
  viewport()->setCursor(Qt::ArrowCursor);
  if (tapped) Q_EMIT palette_wanted(mouse_in_scene());
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
  space_held_ = false;
  QGraphicsView::focusOutEvent(event);
}

// Esc once ends the drag or the selection; twice stops the run.
void CanvasView::escape() {
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  const bool twice = now - last_escape_ < double_escape_ms;
  last_escape_ = twice ? 0 : now;
  if (is_dragging())
    abort_drag();
  else
    scene_.editor().selection().clear();
  if (twice) Q_EMIT stop_wanted();
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
  Q_EMIT menu_wanted(event->globalPos(), mapToScene(event->pos()));
}

void CanvasView::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasFormat(QString::fromLatin1(node_mime_type))) event->acceptProposedAction();
}
void CanvasView::dragMoveEvent(QDragMoveEvent* event) {
  if (!event->mimeData()->hasFormat(QString::fromLatin1(node_mime_type))) return;
  scene_.hover(scene_.link_at(mapToScene(event->position().toPoint())));
  event->acceptProposedAction();
}
void CanvasView::dropEvent(QDropEvent* event) {
  const QByteArray type = event->mimeData()->data(QString::fromLatin1(node_mime_type));
  if (type.isEmpty()) return;
  event->acceptProposedAction();
  setFocus(Qt::OtherFocusReason);
  Q_EMIT node_dropped(QString::fromUtf8(type), mapToScene(event->position().toPoint()));
}

bool CanvasView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QGraphicsView::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QPointF at = mapToScene(help->pos());
  const NodeItem* item = scene_.port_owner_at(at);
  if (item == nullptr) item = scene_.node_at(at);
  const QString tip = item == nullptr ? QString() : item->tip(at);
  if (tip.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), tip, viewport());
  return true;
}

}  // namespace tl::ui
