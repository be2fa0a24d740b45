// VolumePane: its camera, mouse and keys.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/views/scene/volume_presets.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui {
namespace {

constexpr double turn_step = pi / 360;  // rad per px
constexpr double key_turn = pi / 36;
constexpr int slice_modes = 4;

}  // namespace

void VolumePane::rotate_by(double turn, double rise) {
  // Beyond the pole the image would be upside down.
  constexpr double pole = pi / 2 - 1e-3;
  scene_.turn += turn;
  scene_.rise = std::clamp(scene_.rise + rise, -pole, pole);
  changed();
}
void VolumePane::zoom_by(double factor) {
  scene_.zoom = std::clamp(scene_.zoom * factor, 0.2, 50.0);
  changed();
}
void VolumePane::look_at_face(std::size_t face) {
  const OrientationCube::Angles angles = OrientationCube::looking_at(face);
  scene_.turn = angles.turn;
  scene_.rise = angles.rise;
  changed();
}
void VolumePane::reset_camera() {
  const VolumeScene first;
  scene_.turn = first.turn;
  scene_.rise = first.rise;
  scene_.zoom = first.zoom;
  scene_.shift_x = scene_.shift_y = 0;
  object_.reset();
  changed();
}
void VolumePane::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  press_ = last_ = event->position();
  press_levels_ = state_.levels(state_.volume()).value_or(picture::Levels{});
  gripped_.reset();
  if (const auto face = cube().face_at(press_); face && event->button() == Qt::LeftButton) return look_at_face(*face);
  const auto marks = handles();
  if (!marks || event->button() != Qt::LeftButton) return;
  if (const std::size_t face = marks->at(press_, size()); face < marks->clip.size()) gripped_ = face;
}
void VolumePane::mouseMoveEvent(QMouseEvent* event) {
  const QPointF move = event->position() - last_;
  last_ = event->position();
  hover(event->buttons() == Qt::NoButton ? cube().face_at(last_) : std::nullopt);
  const auto marks = gripped_ ? handles() : std::nullopt;
  if (marks && event->buttons().testFlag(Qt::LeftButton)) return set_clip(marks->dragged(*gripped_, move, size()));
  if (event->buttons().testFlag(Qt::LeftButton)) rotate_by(-turn_step * move.x(), turn_step * move.y());
  if (event->buttons().testFlag(Qt::MiddleButton)) {
    scene_.shift_x += move.x() / std::max(1, height());
    scene_.shift_y += move.y() / std::max(1, height());
    changed();
  }
  if (event->buttons().testFlag(Qt::RightButton))
    state_.set_levels(state_.volume(), dragged_levels(press_levels_, (last_ - press_), size()), LevelsMode::manual);
}
void VolumePane::hover(std::optional<std::size_t> face) {
  if (face == hovered_) return;
  hovered_ = face;
  setCursor(face ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}
void VolumePane::leaveEvent(QEvent*) { hover(std::nullopt); }

bool VolumePane::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto face = cube().face_at(help->pos()))
    QToolTip::showText(
        help->globalPos(),
        tr("Look at the %1 side (keys X, Y, Z; with Shift the opposite side)").arg(OrientationCube::face_name(*face)));
  else
    QToolTip::hideText();
  return true;
}

void VolumePane::mouseReleaseEvent(QMouseEvent*) { gripped_.reset(); }
void VolumePane::mouseDoubleClickEvent(QMouseEvent* event) {
  if (cube().face_at(event->position())) return;
  if (event->button() == Qt::LeftButton) Q_EMIT fill_requested();
}
void VolumePane::wheelEvent(QWheelEvent* event) {
  event->accept();
  zoom_by(std::pow(1.15, event->angleDelta().y() / 120.0));
}

// In the order of the bar: automatic, window, then the materials.
void VolumePane::next_preset() {
  if (preset() == automatic_tint) return set_preset(window_tint);
  const auto presets = volume_presets();
  const VolumePreset* now = find_volume_preset(preset());
  const std::size_t next = now == nullptr ? 0 : static_cast<std::size_t>(now - presets.data()) + 1;
  set_preset(next < presets.size() ? QString::fromLatin1(presets[next].id) : QString(automatic_tint));
}

void VolumePane::keyPressEvent(QKeyEvent* event) {
  if ((event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0) return QWidget::keyPressEvent(event);
  const bool shifted = event->modifiers().testFlag(Qt::ShiftModifier);
  // Faces in the order of OrientationCube. X and Z show the face at the upper end, Y that at the lower end; with Shift
  // the opposite one.
  constexpr std::size_t low_x = 0, high_x = 1, low_y = 2, high_y = 3, low_z = 4, high_z = 5;
  switch (event->key()) {
    case Qt::Key_X: return look_at_face(shifted ? low_x : high_x);
    case Qt::Key_Y: return look_at_face(shifted ? high_y : low_y);
    case Qt::Key_Z: return look_at_face(shifted ? low_z : high_z);
    case Qt::Key_L: return set_slices(static_cast<VolumeSlices>((static_cast<int>(scene_.slices) + 1) % slice_modes));
    case Qt::Key_T: return next_preset();
    case Qt::Key_V: return set_class_surfaces(shows_class_surfaces() ? ClassesIn3D::hidden : ClassesIn3D::shown);
    case Qt::Key_Left: return rotate_by(key_turn, 0);
    case Qt::Key_Right: return rotate_by(-key_turn, 0);
    case Qt::Key_Up: return rotate_by(0, key_turn);
    case Qt::Key_Down: return rotate_by(0, -key_turn);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom_by(1.25);
    case Qt::Key_Minus: return zoom_by(0.8);
    case Qt::Key_F:
    case Qt::Key_0: return reset_camera();
    case Qt::Key_I: return set_style(scene_.style == VolumeStyle::cloud ? VolumeStyle::surface : VolumeStyle::cloud);
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT fill_requested(); return;
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace tl::ui
