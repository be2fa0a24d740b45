// ImagePane: handles mouse, wheel and keys over an image.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/views/panes/image_pane.h"

namespace tl::ui {
namespace {
constexpr double min_zoom = 0.2, max_zoom = 500;
constexpr int wheel_notch = 120, big_step = 10;
}  // namespace

void ImagePane::wheelEvent(QWheelEvent* event) {
  event->accept();
  // Touch pads send many small wheel steps, which are added up to whole slices.
  const int turn = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    zoom_about(event->position(), std::pow(1.25, static_cast<double>(turn) / wheel_notch));
    return;
  }
  wheel_rest_ += turn;
  const int notches = wheel_rest_ / wheel_notch;
  wheel_rest_ -= notches * wheel_notch;
  if (notches != 0) step(event->modifiers().testFlag(Qt::ShiftModifier) ? notches * big_step : notches);
}

void ImagePane::zoom_about(QPointF widget, double factor) {
  Camera now = camera();
  const QPointF fixed = to_pane(widget);
  const double zoom = std::clamp(now.zoom * factor, min_zoom, max_zoom);
  const double grown = zoom / now.zoom;
  const QPointF middle = extent().center() + now.centre;
  now.centre = fixed + (middle - fixed) / grown - extent().center();
  now.zoom = zoom;
  set_camera(now);
}
void ImagePane::zoom_by(double factor) { zoom_about(QRectF(rect()).center(), factor); }
void ImagePane::fit() { set_camera({}); }

void ImagePane::set_tool(std::optional<MeasureKind> tool) {
  tool_ = tool;
  setCursor(tool ? Qt::CrossCursor : Qt::ArrowCursor);
  Q_EMIT tool_changed();
}

void ImagePane::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  press_ = last_ = event->position();
  press_camera_ = camera();
  press_levels_ = shown_levels().value_or(picture::Levels{});
  if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::pan;
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::RightButton) {
    drag_ = Drag::window;
  } else if (event->button() == Qt::LeftButton && (paints() || !press_measurement(press_)) &&
             mark_pressed(to_pane(press_), event->modifiers())) {
    drag_ = Drag::mark;
  }
}

bool ImagePane::press_measurement(QPointF widget) {
  if (tool_) {
    measurements().add({*tool_, to_pane(widget), to_pane(widget)});
    measurements().start_dragging_end(to_pane(widget));
    drag_ = Drag::measure_new;
  } else if (measurements().grab(widget, measure_context())) {
    drag_ = Drag::measure_handle;
  } else {
    measurements().clear_selection();
    return false;
  }
  measurements_moved();
  return true;
}

void ImagePane::mouseMoveEvent(QMouseEvent* event) {
  const QPointF now = event->position();
  hover_ = now;
  switch (drag_) {
    case Drag::pan: {
      Camera panned = press_camera_;
      const QSizeF s = scale();
      panned.centre -= QPointF((now.x() - press_.x()) / s.width(), (now.y() - press_.y()) / s.height());
      set_camera(panned);
      break;
    }
    case Drag::window: drag_window(press_, now); break;
    case Drag::mark: mark_moved(to_pane(now), event->modifiers()); break;
    case Drag::measure_new:
    case Drag::measure_handle:
      measurements().drag_to(to_pane(now));
      measurements_moved();
      break;
    case Drag::none: break;
  }
  last_ = now;
  show_hover();
}

// A drag over the whole width widens the window by e^2.
picture::Levels dragged_levels(picture::Levels from, QPointF move, QSize pane) {
  const double wider = std::exp(2 * move.x() / std::max(1, pane.width())), span = from.high - from.low;
  const double middle = 0.5 * (from.low + from.high) + span * move.y() / std::max(1, pane.height());
  return {middle - 0.5 * span * wider, middle + 0.5 * span * wider};
}

void ImagePane::drag_window(QPointF from, QPointF to) {
  state_.set_levels(levels_output(), dragged_levels(press_levels_, to - from, size()), LevelsMode::manual);
  Q_EMIT levels_by_hand();
}

void ImagePane::mouseReleaseEvent(QMouseEvent*) {
  if (drag_ == Drag::measure_new) end_measurement();
  if (drag_ == Drag::measure_handle && last_ != press_) state_.keep_measurements(tr("Move a measurement"));
  if (drag_ == Drag::mark) mark_released();
  drag_ = Drag::none;
  setCursor(tool_ || paints() ? Qt::CrossCursor : Qt::ArrowCursor);
}

void ImagePane::end_measurement() {
  const Measurement* drawn = measurements().selected_one();
  // A click without a drag draws only probes.
  const bool is_click = drawn != nullptr && drawn->kind != MeasureKind::probe && QLineF(press_, last_).length() < 3;
  if (is_click)
    measurements().remove_selected();
  else
    set_tool(std::nullopt);
  measurements_moved();
  if (!is_click) state_.keep_measurements(tr("Measure"));
}

void ImagePane::remove_measurement() {
  measurements_moved();
  state_.keep_measurements(tr("Remove a measurement"));
}

void ImagePane::mouseDoubleClickEvent(QMouseEvent* event) {
  if (paints()) return mousePressEvent(event);  // two dabs
  if (event->button() == Qt::LeftButton && !tool_) Q_EMIT fill_requested();
}

void ImagePane::show_hover() {
  if (hover_) Q_EMIT hovered(value_text(*hover_));
  update();
}
void ImagePane::leaveEvent(QEvent*) {
  hover_.reset();
  Q_EMIT hovered({});
  update();
}
void ImagePane::focusInEvent(QFocusEvent*) { update(); }
void ImagePane::focusOutEvent(QFocusEvent*) { update(); }

void ImagePane::keyPressEvent(QKeyEvent* event) {
  if (measure_key(*event) || key_pressed(*event) || step_key(*event)) return;
  const auto plain = event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
  if (plain == Qt::NoModifier && (view_key(event->key()) || tool_key(event->key()))) return;
  QWidget::keyPressEvent(event);
}

// Measuring by keyboard: Enter draws the chosen tool's measurement across the middle, Ctrl with arrow keys moves it,
// with Shift only its end.
bool ImagePane::measure_key(const QKeyEvent& event) {
  const bool enter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (tool_ && enter) {
    const QPointF middle = to_pane(QRectF(rect()).center());
    const QPointF aside = to_pane(QPointF(0.7 * width(), (*tool_ == MeasureKind::region ? 0.7 : 0.5) * height()));
    if (*tool_ == MeasureKind::probe)
      measurements().add({*tool_, middle, middle});
    else if (*tool_ == MeasureKind::angle)
      measurements().add({*tool_, middle, aside, middle + QPointF(aside.y() - middle.y(), middle.x() - aside.x())});
    else
      measurements().add({*tool_, middle + middle - aside, aside});
    set_tool(std::nullopt);
    measurements_moved();
    state_.keep_measurements(tr("Measure"));
    return true;
  }
  if (!event.modifiers().testFlag(Qt::ControlModifier) || !measurements().selected()) return false;
  const int right = event.key() == Qt::Key_Right ? 1 : event.key() == Qt::Key_Left ? -1 : 0;
  const int down = event.key() == Qt::Key_Down ? 1 : event.key() == Qt::Key_Up ? -1 : 0;
  if (right == 0 && down == 0) return false;
  const QPointF pixel = from_pixel({1, 1}) - from_pixel({0, 0});
  const QPointF move(right * pixel.x(), down * pixel.y());
  measurements().move_selected(
      move, event.modifiers().testFlag(Qt::ShiftModifier) ? Measurements::Grip::end : Measurements::Grip::whole);
  measurements_moved();
  state_.keep_measurements(tr("Move a measurement"));
  return true;
}

bool ImagePane::step_key(const QKeyEvent& event) {
  if ((event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0) return false;
  const int by = event.modifiers().testFlag(Qt::ShiftModifier) ? big_step : 1;
  switch (event.key()) {
    case Qt::Key_Up:
    case Qt::Key_Right: step(by); return true;
    case Qt::Key_Down:
    case Qt::Key_Left: step(-by); return true;
    case Qt::Key_PageUp: step(big_step); return true;
    case Qt::Key_PageDown: step(-big_step); return true;
    case Qt::Key_Home: step_to_end(-1); return true;
    case Qt::Key_End: step_to_end(1); return true;
    default: return false;
  }
}

bool ImagePane::view_key(int key) {
  constexpr double zoom_step = 1.25;
  switch (key) {
    case Qt::Key_A: automatic_levels(); return true;
    case Qt::Key_F:
    case Qt::Key_0: fit(); return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom_by(zoom_step); return true;
    case Qt::Key_Minus: zoom_by(1 / zoom_step); return true;
    case Qt::Key_K: set_linking(linking_ == Linking::linked ? Linking::alone : Linking::linked); return true;
    case Qt::Key_C: choose_colors(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT fill_requested(); return true;
    default: return false;
  }
}

bool ImagePane::tool_key(int key) {
  const auto start = [this](MeasureKind kind) {
    set_tool(tool_ == kind ? std::nullopt : std::optional(kind));
    return true;
  };
  switch (key) {
    case Qt::Key_L: return start(MeasureKind::profile);
    case Qt::Key_R: return start(MeasureKind::region);
    case Qt::Key_D: return start(MeasureKind::distance);
    case Qt::Key_G: return start(MeasureKind::angle);
    case Qt::Key_P: return start(MeasureKind::probe);
    case Qt::Key_Escape:
      if (tool_) {
        set_tool(std::nullopt);
        return true;
      }
      [[fallthrough]];
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      if (!measurements().remove_selected()) return false;
      remove_measurement();
      return true;
    default: return false;
  }
}

}  // namespace tl::ui
