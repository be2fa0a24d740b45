// SlicePane: shows a slice of a volume with the linked crosshair: requests its grid, and rotates the oblique plane with
// the mouse.
#include "widgets/views/panes/slice_pane.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/live/notification.h"
#include "widgets/language/translated.h"
#include "widgets/views/panes/paint_bar.h"
#include "widgets/views/panes/pane_painting.h"

namespace tl::ui {
namespace {

constexpr double line_reach = 7;        // px; within this distance the oblique plane's line is grabbed
constexpr double centre_reach = 14;     // px; within this distance of the crosshair, the crosshair is grabbed instead
constexpr double crosshair_gap = 7;     // px left free around the crosshair's centre
constexpr double ball_step = pi / 450;  // rad per px
constexpr double key_turn = pi / 180;

Token plane_color(Orientation orientation) {
  switch (orientation) {
    case Orientation::xy: return Token::accent;
    case Orientation::xz: return Token::busy;
    case Orientation::yz: return Token::warning;
    case Orientation::oblique: return Token::learnable;
  }
  return Token::text;
}
std::optional<LabelChange> label_change(const QKeyEvent& event) {
  if (event.key() == Qt::Key_V)
    return event.modifiers().testFlag(Qt::ShiftModifier) ? LabelChange::fill_or_outline : LabelChange::show_or_hide;
  if (event.key() == Qt::Key_Period) return LabelChange::more_opaque;
  if (event.key() == Qt::Key_Comma) return LabelChange::less_opaque;
  return std::nullopt;
}
// Strokes over the labels that are computed from them: filled and nearly opaque, so that both are visible.
LabelView stroke_view(LabelView view) {
  constexpr double least_opacity = 0.85;
  view.outlined = false;
  view.opacity = std::max(view.opacity, least_opacity);
  return view;
}
double direction_angle(QPointF from_centre) { return std::atan2(-from_centre.y(), from_centre.x()); }

}  // namespace

SlicePane::SlicePane(PictureSource& source, ViewState& state, const QString& view, Orientation orientation,
                     QWidget* parent)
    : ImagePane(source, state, view, parent),
      overlay_(source, view + QStringLiteral(".labels")),
      strokes_(source, view + QStringLiteral(".strokes")),
      painting_(new PanePainting(*this)),
      orientation_(orientation) {
  new PaintBar(*this, *painting_);
  connect(&state.painter(), &Painter::changed, this, &SlicePane::painting_changed);
  // Who measures does not paint.
  connect(this, &ImagePane::tool_changed, this, [this] {
    if (tool()) this->state().painter().put_away();
  });
  for (const LabelOverlay* overlay : {&overlay_, &strokes_})
    connect(overlay, &LabelOverlay::changed, this, qOverload<>(&QWidget::update));
  connect(&state, &ViewState::label_view_changed, this, qOverload<>(&QWidget::update));
  setAccessibleName(tr("%1 slice").arg(orientation_name(orientation)));
  connect(&state, &ViewState::crosshair_changed, this, &SlicePane::crosshair_moved);
  connect(&state, &ViewState::oblique_changed, this, [this] {
    if (orientation_ == Orientation::oblique)
      refresh();
    else
      update();
  });
}

Output SlicePane::strokes_output() const { return labels_output() == state().labels() ? state().strokes() : Output{}; }

bool SlicePane::may_be_painted() const {
  const Info* info = output().empty() ? nullptr : source().info(output());
  return info != nullptr && std::holds_alternative<VolumeInfo>(*info);
}
bool SlicePane::paints() const { return painting_->is_active(); }

void SlicePane::painting_changed() {
  if (paints() && tool()) set_tool(std::nullopt);
  setCursor(paints() || tool() ? Qt::CrossCursor : Qt::ArrowCursor);
  Q_EMIT tool_changed();
}

void SlicePane::wheelEvent(QWheelEvent* event) {
  if (!paints() || !event->modifiers().testFlag(Qt::ControlModifier)) return ImagePane::wheelEvent(event);
  event->accept();
  painting_->change_size(event->angleDelta().y() < 0 ? -1 : 1);
}

SlicePane::~SlicePane() {
  if (counted_) state().oblique_pane_hidden();
}

void SlicePane::set_orientation(Orientation orientation) {
  if (orientation == orientation_) return;
  orientation_ = orientation;
  setAccessibleName(tr("%1 slice").arg(orientation_name(orientation)));
  forget_picture();
  update_oblique_count();
  refresh();
  Q_EMIT orientation_changed();
}

void SlicePane::showEvent(QShowEvent* event) {
  ImagePane::showEvent(event);
  update_oblique_count();
}
void SlicePane::hideEvent(QHideEvent* event) {
  ImagePane::hideEvent(event);
  update_oblique_count();
}
void SlicePane::update_oblique_count() {
  const bool now = isVisible() && orientation_ == Orientation::oblique;
  if (now == counted_) return;
  counted_ = now;
  if (now)
    state().oblique_pane_shown();
  else
    state().oblique_pane_hidden();
}

const VolumeGrid* SlicePane::grid() const {
  const Info* info = output().empty() ? nullptr : source().info(output());
  if (info == nullptr) return nullptr;
  if (const auto* volume = std::get_if<VolumeInfo>(info)) return &volume->grid;
  if (const auto* labels = std::get_if<LabelsInfo>(info)) return &labels->grid;
  return nullptr;
}
std::optional<PlaneView> SlicePane::plane() const {
  const VolumeGrid* volume = grid();
  if (volume == nullptr) return std::nullopt;
  return plane_through(*volume, orientation_, state().crosshair(), state().oblique());
}

std::optional<live::PictureRequest> SlicePane::wanted() const {
  const auto now = plane();
  if (!now) return std::nullopt;
  live::PictureRequest request{
      .node = output().node.toStdString(), .port = output().port.toStdString(), .region = now->region};
  return request;
}

// The crosshair moves with the mouse in another pane; a request is needed only if the slice changes.
void SlicePane::crosshair_moved() {
  const auto now = plane();
  if (now && asked() && asked()->region == Region(now->region))
    update();
  else
    refresh();
}

QRectF SlicePane::extent() const {
  const auto now = plane();
  return now ? now->extent() : QRectF();
}
QRectF SlicePane::placement(const live::Picture& picture) const {
  const auto now = plane();
  return now ? now->placement(picture) : QRectF();
}
void SlicePane::requested(const std::optional<live::PictureRequest>& request) {
  const auto region = request ? std::optional(request->region) : std::nullopt;
  overlay_.follow(labels_output(), region);
  strokes_.follow(strokes_output(), region);
}

void SlicePane::paint_labels(QPainter& painter, const SlicePane& pane) const {
  if (!picture()) return;
  const auto paint = [&](const LabelOverlay& overlay, const LabelView& view) {
    const live::Picture* labels = overlay.labels_for(*picture());
    if (labels == nullptr) return;
    const QRectF at = placement(*labels);
    overlay.paint(painter, view, {pane.to_widget(at.topLeft()), pane.to_widget(at.bottomRight())}, pane.rect());
  };
  paint(overlay_, state().label_view());
  if (!strokes_output().empty()) paint(strokes_, stroke_view(state().label_view()));
}

std::optional<int64_t> SlicePane::label_at(const LabelOverlay& overlay, QPointF pane) const {
  const live::Picture* labels = picture() ? overlay.labels_for(*picture()) : nullptr;
  if (labels == nullptr) return std::nullopt;
  const QRectF at = placement(*labels);
  const auto cell = [](double share, int64_t count) {
    return static_cast<int64_t>(std::floor(share * static_cast<double>(count)));
  };
  return overlay.number_at(cell((pane.y() - at.top()) / at.height(), labels->image->rows),
                           cell((pane.x() - at.left()) / at.width(), labels->image->cols));
}

// Shows the class found at the point if a stroke hides it.
QString SlicePane::note_at(QPointF pane) const {
  if (!state().label_view().visible) return {};
  const auto name = [&](const LabelOverlay& overlay) {
    const auto number = label_at(overlay, pane);
    return number ? overlay.name_of(*number) : QString();
  };
  const QString stroke = strokes_output().empty() ? QString() : name(strokes_);
  return stroke.isEmpty() ? name(overlay_) : stroke;
}

QString SlicePane::camera_slot() const {
  constexpr const char* slots_[] = {"xy", "xz", "yz", "oblique"};
  return QString::fromLatin1(slots_[static_cast<int>(orientation_)]);
}

QString SlicePane::position_text() const {
  const auto now = plane();
  if (!now) return {};
  if (now->count > 0) return tr("slice %1 of %2").arg(now->index + 1).arg(now->count);
  const double offset = dot(now->origin - grid()->centre, now->normal);
  return has_pixel_lengths() ? tr("%1 px from the centre").arg(number_text(offset))
                             : tr("%1 from the centre").arg(length_text(offset));
}
double SlicePane::mm_per_unit() const { return has_pixel_lengths() ? 0 : 1; }
bool SlicePane::has_pixel_lengths() const {
  const Info* info = output().empty() ? nullptr : source().info(output());
  return info != nullptr && is_in_pixels(*info);
}
QString SlicePane::unit_text() const {
  const QString unit = ImagePane::unit_text();
  return has_pixel_lengths() && unit == QLatin1String("1/mm") ? QStringLiteral("1/px") : unit;
}

std::vector<CaptionPart> SlicePane::state_caption() const {
  std::vector<CaptionPart> parts = ImagePane::state_caption();
  if (paints()) parts.push_back({QStringLiteral(" · ") + painting_->mode_text(), Token::accent});
  return parts;
}

QString SlicePane::extra_caption() const {
  return paints() ? tr("1–9 class · [ ] size · W ends painting") : ImagePane::extra_caption();
}

QString SlicePane::no_picture_text() const {
  if (output().empty()) return tr("No volume yet. Add a reconstruction and link it.");
  const live::NodeStatus status = source().status(output().node);
  if (status.error) return translated(status.error->what);
  return grid() == nullptr ? tr("Not loaded") : tr("Waiting for the first image");
}

// Indices of the volume, in which the lowest row is 0.
QString SlicePane::pixel_position_text(picture::PixelPoint at) const {
  const int64_t level = picture()->level, rows = picture()->image->rows;
  const auto sharp = [level](int64_t pixel) { return pixel * level + level / 2; };
  return QStringLiteral("%1, %2").arg(sharp(std::lround(at.col))).arg(sharp(rows - 1 - std::lround(at.row)));
}

void SlicePane::step(int64_t count) {
  const auto now = plane();
  if (now) state().set_crosshair(stepped(*grid(), *now, state().crosshair(), count));
}
void SlicePane::step_to_end(int direction) {
  const auto now = plane();
  if (now && now->count > 0) step(direction < 0 ? -now->count : now->count);
}

std::optional<QPointF> SlicePane::oblique_line(const PlaneView& now) const {
  if (orientation_ == Orientation::oblique || !state().has_oblique_pane()) return std::nullopt;
  const Vec3 along = cross(state().oblique().normal(), now.normal);
  const double length = norm(along);
  if (length < 1e-6) return std::nullopt;
  return QPointF(dot(along, now.right), -dot(along, now.up)) / length;
}

void SlicePane::paint_marks(QPainter& painter) const {
  const auto now = plane();
  if (!now) return;
  const QPointF centre = to_widget(now->to_pane(state().crosshair()));
  const Orientation upright = orientation_ == Orientation::yz ? Orientation::xz : Orientation::yz;
  const Orientation level = orientation_ == Orientation::xy ? Orientation::xz : Orientation::xy;
  const auto pen = [&painter](Orientation of) {
    QColor color = Theme::instance().picture_color(plane_color(of));
    color.setAlphaF(0.8F);
    painter.setPen(QPen(color, 1));
  };
  const double x = std::floor(centre.x()) + 0.5, y = std::floor(centre.y()) + 0.5;
  pen(orientation_ == Orientation::oblique ? Orientation::oblique : upright);
  painter.drawLine(QPointF(x, 0), QPointF(x, y - crosshair_gap));
  painter.drawLine(QPointF(x, y + crosshair_gap), QPointF(x, height()));
  pen(orientation_ == Orientation::oblique ? Orientation::oblique : level);
  painter.drawLine(QPointF(0, y), QPointF(x - crosshair_gap, y));
  painter.drawLine(QPointF(x + crosshair_gap, y), QPointF(width(), y));
  paint_oblique_line(painter, *now);
  painting_->paint(painter, hover());
}

void SlicePane::paint_oblique_line(QPainter& painter, const PlaneView& now) const {
  const auto along = oblique_line(now);
  if (!along) return;
  const QPointF centre = to_widget(now.to_pane(state().crosshair()));
  const double reach = width() + height(), grip = 0.3 * std::min(width(), height());
  const QColor color = Theme::instance().picture_color(plane_color(Orientation::oblique));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, 1.3));
  for (const int side : {-1, 1}) {
    painter.drawLine(centre + side * centre_reach * *along, centre + side * reach * *along);
    painter.setBrush(color);
    painter.drawEllipse(centre + side * grip * *along, 4, 4);
  }
}

bool SlicePane::mark_pressed(QPointF point, Qt::KeyboardModifiers modifiers) {
  const auto now = plane();
  if (!now) return false;
  if (paints()) {
    mark_ = Mark::stroke;
    painting_->press(point, modifiers);
    return true;
  }
  grabbed_ = point;
  ball_at_ = to_widget(point);
  mark_ = Mark::crosshair;
  if (orientation_ == Orientation::oblique && modifiers.testFlag(Qt::AltModifier)) mark_ = Mark::ball;
  if (const auto along = oblique_line(*now)) {
    const QPointF from = to_widget(point) - to_widget(now->to_pane(state().crosshair()));
    const double aside = std::abs(from.x() * along->y() - from.y() * along->x());
    if (aside <= line_reach && std::hypot(from.x(), from.y()) > centre_reach) mark_ = Mark::turn_line;
  }
  if (mark_ == Mark::crosshair) mark_moved(point, modifiers);
  return true;
}

void SlicePane::mark_moved(QPointF point, Qt::KeyboardModifiers) {
  if (mark_ == Mark::stroke) return painting_->move(point);
  const auto now = plane();
  if (!now) return;
  if (mark_ == Mark::crosshair) {
    // Moves only within the plane; the slice number stays the same.
    const double depth = dot(state().crosshair() - now->origin, now->normal);
    state().set_crosshair(clamped(*grid(), now->to_space(point) + depth * now->normal));
  } else if (mark_ == Mark::turn_line) {
    const QPointF centre = now->to_pane(state().crosshair());
    const double angle = direction_angle(point - centre) - direction_angle(grabbed_ - centre);
    state().set_oblique(state().oblique().turned(cross(now->right, now->up), angle));
    grabbed_ = point;
  } else if (mark_ == Mark::ball) {
    // Compared in widget coordinates, since the pane's scale changes with the plane's size.
    const QPointF now_at = to_widget(point);
    rotate_oblique_plane(std::exchange(ball_at_, now_at), now_at);
  }
}
void SlicePane::mark_released() {
  if (std::exchange(mark_, Mark::none) == Mark::stroke) painting_->release();
}

// A drag to the right rotates about the vertical axis, a drag down about the horizontal axis.
void SlicePane::rotate_oblique_plane(QPointF from, QPointF to) {
  const PlaneDirections frame = state().oblique();
  const QPointF move = to - from;
  state().set_oblique(frame.turned(frame.up, ball_step * move.x()).turned(frame.right, ball_step * move.y()));
}

void SlicePane::nudge(int right, int up, Qt::KeyboardModifiers modifiers) {
  const auto now = plane();
  if (!now) return;
  const int by = modifiers.testFlag(Qt::ShiftModifier) ? 10 : 1;
  if (orientation_ == Orientation::oblique && modifiers.testFlag(Qt::AltModifier)) {
    const PlaneDirections frame = state().oblique();
    state().set_oblique(frame.turned(frame.up, key_turn * by * right).turned(frame.right, -key_turn * by * up));
    return;
  }
  const Vec3 move = (by * right * now->across) * now->right + (by * up * now->along) * now->up;
  state().set_crosshair(clamped(*grid(), state().crosshair() + move));
}

bool SlicePane::key_pressed(QKeyEvent& event) {
  if (painting_->key(event)) return true;
  const auto modifiers = event.modifiers();
  if ((modifiers & (Qt::ControlModifier | Qt::AltModifier)) != 0) {
    const bool sideways = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
    if (!sideways && event.key() != Qt::Key_Up && event.key() != Qt::Key_Down) return false;
    const int sign = event.key() == Qt::Key_Right || event.key() == Qt::Key_Up ? 1 : -1;
    nudge(sideways ? sign : 0, sideways ? 0 : sign, modifiers);
    return true;
  }
  if (const auto change = label_change(event)) {
    state().set_label_view(changed(state().label_view(), *change));
    return true;
  }
  if (modifiers != Qt::NoModifier) return false;
  // The key x, y or z is the normal of the plane.
  switch (event.key()) {
    case Qt::Key_X: set_orientation(Orientation::yz); return true;
    case Qt::Key_Y: set_orientation(Orientation::xz); return true;
    case Qt::Key_Z: set_orientation(Orientation::xy); return true;
    case Qt::Key_O: set_orientation(Orientation::oblique); return true;
    default: return false;
  }
}

}  // namespace tl::ui
