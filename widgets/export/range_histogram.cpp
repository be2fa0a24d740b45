// RangeHistogram: paints bars and handles, and turns mouse and keys into a range.
#include "widgets/export/range_histogram.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int export_bar_width = 4;        // px
constexpr double margin_of_values = 0.05;  // on each side, as a fraction of the values' range
constexpr double handle_step = 0.002;      // of the range shown
constexpr double far_steps = 10;

}  // namespace

RangeHistogram::RangeHistogram(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumHeight(72);
  setAccessibleName(tr("Histogram with range"));
  setToolTip(
      tr("Drag the lines.\nKeys: left and right move a line, with Shift by ten steps; up and down switch to the other "
         "line."));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RangeHistogram::show_values(const exports::SortedValues* values, picture::Levels range) {
  const bool is_other = values != values_;
  values_ = values;
  range_ = range;
  if (is_other) count();
  update();
}

QRectF RangeHistogram::area() const { return QRectF(rect()).adjusted(8, 6, -8, -6); }
int RangeHistogram::bins() const { return std::max(1, static_cast<int>(area().width()) / export_bar_width); }

void RangeHistogram::count() {
  bars_ = {};
  if (values_ == nullptr) return;
  picture::Levels all = values_->full();
  const double more = margin_of_values * (all.high - all.low);
  all.low -= more;
  all.high += more;
  bars_ = values_->histogram(all, bins());
}

void RangeHistogram::resizeEvent(QResizeEvent* event) {
  count();
  QWidget::resizeEvent(event);
}

double RangeHistogram::x_of(double value) const {
  const double share = (value - bars_.range.low) / (bars_.range.high - bars_.range.low);
  return area().left() + std::clamp(share, 0.0, 1.0) * area().width();
}
double RangeHistogram::value_at(double x) const {
  const double share = std::clamp((x - area().left()) / std::max(area().width(), 1.0), 0.0, 1.0);
  return bars_.range.low + share * (bars_.range.high - bars_.range.low);
}

void RangeHistogram::move(double value) {
  picture::Levels moved = range_;
  (handle_ == Handle::low ? moved.low : moved.high) = value;
  if (moved.low < moved.high) Q_EMIT range_moved(moved.low, moved.high);
}

void RangeHistogram::mousePressEvent(QMouseEvent* event) {
  if (bars_.counts.empty() || event->button() != Qt::LeftButton) return;
  const double x = event->position().x();
  handle_ = std::abs(x - x_of(range_.low)) <= std::abs(x - x_of(range_.high)) ? Handle::low : Handle::high;
  move(value_at(x));
  update();
}

void RangeHistogram::mouseMoveEvent(QMouseEvent* event) {
  if (!bars_.counts.empty() && (event->buttons() & Qt::LeftButton) != 0) move(value_at(event->position().x()));
}

void RangeHistogram::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (bars_.counts.empty()) return QWidget::keyPressEvent(event);
  if (key == Qt::Key_Up || key == Qt::Key_Down) {
    handle_ = handle_ == Handle::low ? Handle::high : Handle::low;
    return update();
  }
  if (key != Qt::Key_Left && key != Qt::Key_Right) return QWidget::keyPressEvent(event);
  const double steps = (event->modifiers() & Qt::ShiftModifier) != 0 ? far_steps : 1;
  const double by = handle_step * steps * (bars_.range.high - bars_.range.low);
  move((handle_ == Handle::low ? range_.low : range_.high) + (key == Qt::Key_Left ? -by : by));
}

void RangeHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& theme = Theme::instance();
  painter.setPen(theme.color(hasFocus() ? Token::accent : Token::border));
  painter.setBrush(theme.color(Token::dock));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Theme::button_radius, Theme::button_radius);
  painter.setPen(theme.color(Token::text_second));
  if (bars_.counts.empty()) {
    painter.drawText(rect(), Qt::AlignCenter, tr("The histogram of the values is being computed…"));
    return;
  }
  const QRectF inside = area();
  const double low = x_of(range_.low), high = x_of(range_.high);
  const int64_t most = std::max<int64_t>(1, *std::max_element(bars_.counts.begin(), bars_.counts.end()));
  const double width = inside.width() / static_cast<double>(bars_.counts.size());
  for (std::size_t i = 0; i < bars_.counts.size(); ++i) {
    if (bars_.counts[i] == 0) continue;
    // Logarithmic, since clipped values are rare.
    const double height = std::max(1.0, inside.height() * std::log1p(static_cast<double>(bars_.counts[i])) /
                                            std::log1p(static_cast<double>(most)));
    const double left = inside.left() + width * static_cast<double>(i), middle = left + width / 2;
    const bool is_clipped = middle < low || middle > high;
    painter.fillRect(QRectF(left, inside.bottom() - height, std::max(1.0, width - 1), height),
                     theme.color(is_clipped ? Token::warning : Token::text_second));
  }
  for (const Handle handle : {Handle::low, Handle::high}) {
    const double x = handle == Handle::low ? low : high;
    const bool is_active = hasFocus() && handle == handle_;
    painter.setPen(QPen(theme.color(is_active ? Token::text : Token::accent), 2));
    painter.drawLine(QPointF(x, inside.top()), QPointF(x, inside.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(is_active ? Token::text : Token::accent));
    painter.drawRoundedRect(QRectF(x - 4, inside.center().y() - 9, 8, 18), 3, 3);
  }
}

}  // namespace tl::ui
