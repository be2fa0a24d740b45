// AxisOverlay: shows two opposite views on top of each other: requests, mirrors and blends them; dragging moves the
// axis.
#include "widgets/inspector/dialogs/axis_overlay.h"

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/text/error_text.h"
#include "widgets/theme/theme.h"
#include "widgets/views/pictures/picture_render.h"

namespace tl::ui {
namespace {

constexpr double opposite_enough = 5 * pi / 180;
constexpr double key_step = 0.5, fine_key_step = 0.05;  // px, of the arrow keys
constexpr int max_pairs = 4;

QImage grey_image(const live::Image& image) {
  static const ColorLookup grey = make_lookup(ColorMap::grey, Qt::black);
  return render_picture(image, picture::percentile_levels(image, picture::clipped_percent), grey);
}

}  // namespace

std::vector<OppositeViews> opposite_views(const ScanGeometry& geometry) {
  const auto orbit = geometry.orbit();
  std::vector<OppositeViews> pairs;
  if (!orbit || orbit->angles.empty()) return pairs;
  const auto& angles = orbit->angles;
  const auto count = static_cast<int64_t>(angles.size());
  for (int part = 0; part < max_pairs; ++part) {
    const int64_t first = part * count / max_pairs;
    OppositeViews best{first, -1, angles[static_cast<std::size_t>(first)], 0};
    double least = opposite_enough;
    for (int64_t i = 0; i < count; ++i) {
      const double apart = std::abs(angles[static_cast<std::size_t>(i)] - best.first_angle);
      const double off = std::abs(std::remainder(apart - pi, 2 * pi));
      if (off >= least) continue;
      least = off;
      best.second = i;
      best.second_angle = angles[static_cast<std::size_t>(i)];
    }
    const bool is_listed = std::any_of(
        pairs.begin(), pairs.end(), [&](const OppositeViews& p) { return p.first == best.second || p.first == first; });
    if (best.second >= 0 && !is_listed) pairs.push_back(best);
  }
  return pairs;
}

AxisOverlay::AxisOverlay(LiveSession& session, QWidget* parent)
    : QWidget(parent), session_(session), view_(QStringLiteral("axis_overlay/%1/").arg(quintptr(this))) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 160);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Opposite views on top of each other"));
  setAccessibleDescription(tr("Arrow keys move the axis by half a pixel, with Shift by a twentieth."));
  connect(&session_, &LiveSession::picture_ready, this, &AxisOverlay::take);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    tint();
    update();
  });
}
AxisOverlay::~AxisOverlay() { forget(); }

void AxisOverlay::show_scan(const Output& scan) {
  if (scan == scan_) return;
  forget();
  scan_ = scan;
  first_ = second_ = {};
  error_.reset();
  zoom_ = 1;
  shift_ = {};
  ask();
  update();
}

void AxisOverlay::show_pair(const OppositeViews& pair) {
  pair_ = pair;
  first_ = second_ = {};
  error_.reset();
  ask();
  update();
}

void AxisOverlay::set_axis(double axis) {
  axis_ = axis;
  update();
}
void AxisOverlay::set_blend(Blend blend) {
  blend_ = blend;
  tint();
  update();
}

void AxisOverlay::ask() {
  if (!pair_ || scan_.empty() || !isVisible()) return;
  const Info* info = session_.info(scan_.node, scan_.port);
  const auto* scan = info == nullptr ? nullptr : std::get_if<ProjectionsInfo>(info);
  if (scan == nullptr) return;
  for (const auto& [name, index] : {std::pair{"first", pair_->first}, {"second", pair_->second}}) {
    ScanRegion region = scan->geometry.full();
    if (index >= region.views.end) return;
    region.views = {index, index + 1};
    live::PictureRequest request{.node = scan_.node.toStdString(), .port = scan_.port.toStdString(), .region = region};
    session_.request(view_ + QLatin1String(name), request);
  }
}
void AxisOverlay::forget() {
  for (const char* name : {"first", "second"}) session_.forget(view_ + QLatin1String(name));
}

void AxisOverlay::take(const QString& view, const live::Picture& picture) {
  if (!view.startsWith(view_) || !pair_) return;
  if (picture.error || !picture.image) {
    error_ = picture.error;
    update();
    return;
  }
  (view.endsWith(QLatin1String("first")) ? first_ : second_) = grey_image(*picture.image);
  error_.reset();
  tint();
  update();
  Q_EMIT pictures_changed();
}

QImage AxisOverlay::tinted(const QImage& grey, const QColor& color) const {
  if (grey.isNull()) return {};
  QImage out = grey.copy();
  QPainter painter(&out);
  painter.setCompositionMode(QPainter::CompositionMode_Multiply);
  painter.fillRect(out.rect(), color);
  return out;
}

// Two colours that add up to white: equal views give a grey image.
void AxisOverlay::tint() {
  const bool colours = blend_ == Blend::colours;
  const QColor cold = Theme::instance().data_color("sky_blue");
  const QColor warm(255 - cold.red(), 255 - cold.green(), 255 - cold.blue());
  first_tint_ = colours ? tinted(first_, cold) : first_;
  second_tint_ = (colours ? tinted(second_, warm) : second_).mirrored(true, false);
}

double AxisOverlay::fit() const {
  if (first_.isNull()) return 1;
  return std::min(width() / static_cast<double>(first_.width()), height() / static_cast<double>(first_.height()));
}

void AxisOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (!has_pictures()) {
    painter.fillRect(rect(), Theme::instance().color(Token::background));
    painter.setPen(Theme::instance().color(Token::text_second));
    const QString text = error_          ? error_text(*error_)
                         : scan_.empty() ? tr("Link a scan to this node first.")
                         : !pair_        ? tr("No two views look from opposite sides.")
                                         : tr("Waiting for the two views");
    painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, text);
    return;
  }
  painter.fillRect(rect(), Qt::black);  // black outside, since the views are added
  paint_picture(painter);
  if (!hasFocus()) return;
  painter.setPen(Theme::instance().color(Token::accent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void AxisOverlay::paint_picture(QPainter& painter) const {
  const double w = first_.width(), h = first_.height(), scale = zoom();
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.translate(0.5 * width(), 0.5 * height());
  // If there are only a few rows, the image is stretched vertically; only columns matter here.
  constexpr double min_part = 0.4;  // of the height
  painter.scale(scale, std::max(scale, min_part * height() / h));
  painter.translate(-shift_);
  const QRectF place(-0.5 * w, -0.5 * h, w, h);
  painter.setCompositionMode(QPainter::CompositionMode_Plus);
  painter.drawImage(place, first_tint_);
  if (blend_ == Blend::difference) painter.setCompositionMode(QPainter::CompositionMode_Difference);
  // Mirrored about the axis: u in one view corresponds to 2 axis - u in the other.
  painter.drawImage(place.translated(2 * axis_, 0), second_tint_);
  painter.restore();
  painter.setPen(QPen(Theme::instance().color(Token::learnable), 1));
  const double x = 0.5 * width() + (axis_ - shift_.x()) * scale;
  painter.drawLine(QPointF(x, 0), QPointF(x, height()));
}

void AxisOverlay::move_axis(double by) {
  if (first_.isNull()) return;
  const double most = first_.width();
  axis_ = std::clamp(axis_ + by, -most, most);
  update();
  Q_EMIT axis_dragged(axis_);
}

void AxisOverlay::mousePressEvent(QMouseEvent* event) {
  last_ = event->position();
  drag_ = event->button() == Qt::LeftButton ? Drag::axis : event->button() == Qt::MiddleButton ? Drag::pan : Drag::none;
}
void AxisOverlay::mouseMoveEvent(QMouseEvent* event) {
  const QPointF by = (event->position() - std::exchange(last_, event->position())) / zoom();
  if (drag_ == Drag::pan) {
    shift_ -= by;
    update();
  }
  // The mirrored view follows the mouse and moves twice as far as the axis.
  if (drag_ == Drag::axis) move_axis(0.5 * by.x() * (event->modifiers().testFlag(Qt::ShiftModifier) ? 0.1 : 1));
}
void AxisOverlay::mouseReleaseEvent(QMouseEvent* /*event*/) { drag_ = Drag::none; }

void AxisOverlay::wheelEvent(QWheelEvent* event) {
  constexpr double notch = 120, factor = 1.25, largest = 40;
  const double before = zoom();
  zoom_ = std::clamp(zoom_ * std::pow(factor, event->angleDelta().y() / notch), 1.0, largest);
  // The point under the mouse stays in place.
  const QPointF from = event->position() - QPointF(0.5 * width(), 0.5 * height());
  shift_ += from / before - from / zoom();
  if (zoom_ == 1) shift_ = {};
  update();
  event->accept();
}

void AxisOverlay::keyPressEvent(QKeyEvent* event) {
  const double by = event->modifiers().testFlag(Qt::ShiftModifier) ? fine_key_step : key_step;
  if (event->key() == Qt::Key_Left) return move_axis(-by);
  if (event->key() == Qt::Key_Right) return move_axis(by);
  QWidget::keyPressEvent(event);
}

void AxisOverlay::hideEvent(QHideEvent* /*event*/) { forget(); }
void AxisOverlay::showEvent(QShowEvent* /*event*/) { ask(); }

}  // namespace tl::ui
