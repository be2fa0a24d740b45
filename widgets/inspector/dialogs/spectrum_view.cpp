// SpectrumView: paints weights over energies, and lets their points be dragged; the axes stay fixed during a drag.
#include "widgets/inspector/dialogs/spectrum_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr double grip_reach = 9;                                // px, around a point
constexpr double left = 14, right = 14, top = 26, bottom = 40;  // px, around the plot
constexpr double nearest_energies = 0.01;                       // [keV]

// The smallest step of 1, 2 or 5 times a power of ten of which at most `count` fit into `range`.
double round_step(double range, int count) {
  const double raw = range / count, decade = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= raw) return factor * decade;
  return 10 * decade;
}

}  // namespace

SpectrumView::SpectrumView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(320, 200);
  setAccessibleName(tr("Spectrum"));
  setToolTip(tr(
      "Drag a point; double-click adds one, Delete removes it. Keys: Left and Right choose a point, Up and Down change "
      "its weight, Shift+Left and Shift+Right its energy, + adds one after it."));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SpectrumView::set_points(std::vector<SpectrumPoint> points) {
  points_ = std::move(points);
  current_ = std::min(current_, static_cast<int>(points_.size()) - 1);
  if (current_ < 0 && !points_.empty()) current_ = 0;
  if (!dragging_) fit_axes();
  update();
}
void SpectrumView::set_filtered(std::vector<SpectrumPoint> points) {
  filtered_ = std::move(points);
  update();
}
void SpectrumView::set_limits(double low, double high) {
  least_ = low;
  most_ = high;
}

void SpectrumView::fit_axes() {
  if (points_.empty()) return;
  const double first = points_.front().energy, last = points_.back().energy;
  const double energy_margin = std::max(2.0, 0.15 * (last - first));
  low_ = std::max(0.0, first - energy_margin);
  high_ = last + energy_margin;
  highest_ = 0;
  for (const SpectrumPoint& p : points_) highest_ = std::max(highest_, p.weight);
  highest_ = highest_ > 0 ? 1.25 * highest_ : 1;
}

QRectF SpectrumView::plot_area() const { return QRectF(rect()).adjusted(left, top, -right, -bottom); }

QPointF SpectrumView::to_widget(const SpectrumPoint& point) const {
  const QRectF area = plot_area();
  return {area.left() + area.width() * (point.energy - low_) / (high_ - low_),
          area.bottom() - area.height() * point.weight / highest_};
}
SpectrumPoint SpectrumView::to_point(QPointF widget) const {
  const QRectF area = plot_area();
  // Rounded to the screen's resolution, to avoid meaningless digits.
  const auto rounded = [](double value, double step) { return std::round(value / step) * step; };
  const double step_x = round_step((high_ - low_) / area.width(), 1), step_y = round_step(highest_ / area.height(), 1);
  return {rounded(low_ + (high_ - low_) * (widget.x() - area.left()) / area.width(), step_x),
          std::max(0.0, rounded(highest_ * (area.bottom() - widget.y()) / area.height(), step_y))};
}

int SpectrumView::point_at(QPointF widget) const {
  int found = -1;
  double nearest = grip_reach;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const QPointF away = to_widget(points_[i]) - widget;
    const double distance = std::hypot(away.x(), away.y());
    if (distance > nearest) continue;
    nearest = distance;
    found = static_cast<int>(i);
  }
  return found;
}

void SpectrumView::emit_changed() {
  if (!dragging_) fit_axes();
  update();
  Q_EMIT changed(points_);
}

void SpectrumView::move_current(SpectrumPoint to) {
  if (current_ < 0) return;
  const auto at = static_cast<std::size_t>(current_);
  const double low = at == 0 ? least_ : points_[at - 1].energy + nearest_energies;
  const double high = at + 1 == points_.size() ? most_ : points_[at + 1].energy - nearest_energies;
  if (!(low <= high)) return;
  to = {std::clamp(to.energy, low, high), std::max(0.0, to.weight)};
  if (to == points_[at]) return;
  points_[at] = to;
  emit_changed();
}

void SpectrumView::add(SpectrumPoint point) {
  point.energy = std::clamp(point.energy, least_, most_);
  const auto place =
      std::lower_bound(points_.begin(), points_.end(), point,
                       [](const SpectrumPoint& a, const SpectrumPoint& b) { return a.energy < b.energy; });
  const bool taken = (place != points_.end() && place->energy - point.energy < nearest_energies) ||
                     (place != points_.begin() && point.energy - std::prev(place)->energy < nearest_energies);
  if (taken) return;
  current_ = static_cast<int>(place - points_.begin());
  points_.insert(place, point);
  emit_changed();
}

void SpectrumView::remove_current() {
  if (current_ < 0 || points_.size() < 2) return;
  points_.erase(points_.begin() + current_);
  current_ = std::min(current_, static_cast<int>(points_.size()) - 1);
  emit_changed();
}

void SpectrumView::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme.color(Token::background));
  const QRectF area = plot_area();
  QFont small = Theme::number_font();
  small.setPixelSize(11);
  painter.setFont(small);
  painter.setPen(theme.color(Token::text_second));
  painter.drawText(QRectF(left, 4, area.width(), top - 4), Qt::AlignLeft | Qt::AlignVCenter, tr("weight"));
  painter.drawText(QRectF(left, height() - 19, area.width(), 16), Qt::AlignHCenter | Qt::AlignVCenter,
                   tr("energy [keV]"));
  const double step = round_step(high_ - low_, std::max(2, static_cast<int>(area.width() / 80)));
  for (double e = std::ceil(low_ / step) * step; e <= high_; e += step) {
    const double x = to_widget({e, 0}).x();
    painter.setPen(theme.color(Token::line));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    painter.setPen(theme.color(Token::text_second));
    painter.drawText(QRectF(x - 40, area.bottom() + 3, 80, 16), Qt::AlignHCenter | Qt::AlignTop,
                     QString::number(e, 'g', 5));
  }
  painter.setPen(theme.color(Token::border));
  painter.drawLine(area.bottomLeft(), area.bottomRight());

  const auto outline = [this](const std::vector<SpectrumPoint>& points) {
    QPainterPath path;
    for (const SpectrumPoint& p : points)
      path.elementCount() == 0 ? path.moveTo(to_widget(p)) : path.lineTo(to_widget(p));
    return path;
  };
  if (!filtered_.empty()) {
    QPainterPath under = outline(filtered_);
    under.lineTo(to_widget({filtered_.back().energy, 0}));
    under.lineTo(to_widget({filtered_.front().energy, 0}));
    QColor fill = theme.color(Token::accent);
    fill.setAlphaF(0.25F);
    painter.fillPath(under, fill);
    painter.setPen(theme.color(Token::text_second));
    painter.drawText(QRectF(left, 4, area.width(), top - 4), Qt::AlignRight | Qt::AlignVCenter,
                     tr("filled: shape after the filter"));
  }
  painter.setPen(QPen(theme.color(Token::busy), 1.5));
  painter.drawPath(outline(points_));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const QPointF at = to_widget(points_[i]);
    painter.setPen(QPen(theme.color(Token::busy), 1));
    painter.drawLine(at, QPointF(at.x(), area.bottom()));
    const bool chosen = static_cast<int>(i) == current_;
    painter.setBrush(theme.color(chosen ? Token::accent : Token::busy));
    painter.setPen(chosen && hasFocus() ? QPen(theme.color(Token::text), 1.5) : QPen(Qt::NoPen));
    painter.drawEllipse(at, chosen ? 5.5 : 4, chosen ? 5.5 : 4);
    if (!chosen) continue;
    const QString text = tr("%1 keV: %2").arg(points_[i].energy, 0, 'g', 6).arg(points_[i].weight, 0, 'g', 4);
    QRectF label = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-5, -2, 5, 2);
    label.moveCenter(
        {std::clamp(at.x(), area.left() + label.width() / 2, area.right() - label.width() / 2), at.y() - 18});
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::raised));
    painter.drawRoundedRect(label, 4, 4);
    painter.setPen(theme.color(Token::text));
    painter.drawText(label, Qt::AlignCenter, text);
  }
}

void SpectrumView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const int hit = point_at(event->position());
  if (hit < 0) return;
  current_ = hit;
  dragging_ = true;
  update();
}
void SpectrumView::mouseMoveEvent(QMouseEvent* event) {
  setCursor(dragging_ || point_at(event->position()) >= 0 ? Qt::SizeAllCursor : Qt::ArrowCursor);
  if (dragging_) move_current(to_point(event->position()));
}
void SpectrumView::mouseReleaseEvent(QMouseEvent* /*event*/) {
  if (!dragging_) return;
  dragging_ = false;
  fit_axes();
  update();
}
void SpectrumView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && point_at(event->position()) < 0) add(to_point(event->position()));
}

void SpectrumView::keyPressEvent(QKeyEvent* event) {
  if (points_.empty() || current_ < 0) return QWidget::keyPressEvent(event);
  const SpectrumPoint now = points_[static_cast<std::size_t>(current_)];
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  const int along = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  const int upwards = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
  if (along != 0 && shift) {
    move_current({now.energy + 0.1 * along, now.weight});
  } else if (along != 0) {
    current_ = std::clamp(current_ + along, 0, static_cast<int>(points_.size()) - 1);
    update();
  } else if (upwards != 0) {
    move_current({now.energy, now.weight + upwards * round_step(highest_, 50)});
  } else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) {
    remove_current();
  } else if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Insert) {
    const auto next = static_cast<std::size_t>(current_) + 1;
    add(next < points_.size()
            ? SpectrumPoint{0.5 * (now.energy + points_[next].energy), 0.5 * (now.weight + points_[next].weight)}
            : SpectrumPoint{now.energy + 1, now.weight});
  } else {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace tl::ui
