// HistogramPlot: paints an image's histogram, and lets the window's handles and the opacity points be dragged.
#include "widgets/views/histogram/histogram_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/text/quantity_text.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr int bins = 256;
constexpr double handle_reach = 7;  // px
constexpr double key_step = 0.01;   // fraction of the range shown
}  // namespace

HistogramPlot::HistogramPlot(ViewState& state, QWidget* parent) : QWidget(parent), state_(state) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumHeight(90);
  setAccessibleName(tr("Histogram with window"));
  setToolTip(
      tr("Drag the lines to set the window, or the area between them to move it.\nKeys: left and right move the "
         "window, up and down change its width.\nDashed lines are thresholds of the labels on screen: drag them, or T "
         "and the arrow keys."));
  for (auto signal : {&ViewState::colors_changed, &ViewState::volume_view_changed})
    connect(&state_, signal, this, qOverload<>(&QWidget::update));
  connect(&state_, &ViewState::levels_changed, this, qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void HistogramPlot::set_picture(const std::shared_ptr<const live::Image>& image, const Output& output) {
  output_ = output;
  histogram_ = image ? picture::histogram(*image, picture::full_levels(*image), bins) : picture::Histogram{};
  update();
}
void HistogramPlot::set_lines(std::vector<double> values, const QString& fixed) {
  lines_ = std::move(values);
  fixed_ = fixed;
  if (line_ && *line_ >= lines_.size()) line_.reset();
  update();
}
void HistogramPlot::set_curve(Curve curve) {
  curve_ = curve;
  update();
}

QRectF HistogramPlot::plot_area() const { return QRectF(rect()).adjusted(8, 8, -8, -8); }
picture::Levels HistogramPlot::levels() const { return state_.levels(output_).value_or(histogram_.range); }
void HistogramPlot::set_levels(picture::Levels wanted) {
  if (wanted.high > wanted.low) state_.set_levels(output_, wanted, LevelsMode::manual);
}

double HistogramPlot::x_of(double value) const {
  const QRectF area = plot_area();
  const auto& range = histogram_.range;
  return area.left() + (value - range.low) / (range.high - range.low) * area.width();
}
double HistogramPlot::value_at(double x) const {
  const QRectF area = plot_area();
  const auto& range = histogram_.range;
  return range.low + (x - area.left()) / area.width() * (range.high - range.low);
}
QPointF HistogramPlot::pixel_of(const OpacityPoint& point) const {
  const picture::Levels window = levels();
  const QRectF area = plot_area();
  return {x_of(window.low + point.position * (window.high - window.low)),
          area.bottom() - point.opacity * area.height()};
}

std::optional<std::size_t> HistogramPlot::point_at(QPointF at) const {
  const auto& points = state_.opacity();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (QLineF(at, pixel_of(points[i])).length() <= handle_reach) return i;
  return std::nullopt;
}

std::optional<std::size_t> HistogramPlot::line_at(double x) const {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const double away = std::abs(x - x_of(lines_[i]));
    if (away <= handle_reach && (!nearest || away < std::abs(x - x_of(lines_[*nearest])))) nearest = i;
  }
  return nearest;
}

void HistogramPlot::move_line(double value) {
  if (!fixed_.isEmpty())
    QToolTip::showText(mapToGlobal(QPoint(0, height())), fixed_, this);
  else if (line_)
    Q_EMIT line_moved(*line_, std::clamp(value, histogram_.range.low, histogram_.range.high));
}

void HistogramPlot::mousePressEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (histogram_.counts.empty()) return;
  line_ = curve_ == Curve::window ? line_at(at.x()) : std::nullopt;
  update();
  if (line_) {
    grip_ = Grip::line;
    if (!fixed_.isEmpty()) move_line(0);
    return;
  }
  if (curve_ == Curve::opacity) {
    const auto hit = point_at(at);
    grip_ = hit ? Grip::point : Grip::none;
    point_ = hit.value_or(point_);
    update();
    return;
  }
  press_levels_ = levels();
  press_value_ = value_at(at.x());
  const double to_low = std::abs(at.x() - x_of(press_levels_.low));
  const double to_high = std::abs(at.x() - x_of(press_levels_.high));
  if (std::min(to_low, to_high) <= handle_reach)
    grip_ = to_low < to_high ? Grip::low : Grip::high;
  else if (press_value_ > press_levels_.low && press_value_ < press_levels_.high)
    grip_ = Grip::both;
  else
    grip_ = press_value_ < press_levels_.low ? Grip::low : Grip::high;
  mouseMoveEvent(event);
}

void HistogramPlot::mouseMoveEvent(QMouseEvent* event) {
  const double value = value_at(event->position().x());
  if (grip_ == Grip::none) setCursor(line_at(event->position().x()) ? Qt::SplitHCursor : Qt::ArrowCursor);
  switch (grip_) {
    case Grip::line:
      if (fixed_.isEmpty()) move_line(value);
      break;
    case Grip::low: set_levels({value, levels().high}); break;
    case Grip::high: set_levels({levels().low, value}); break;
    case Grip::both:
      set_levels({press_levels_.low + value - press_value_, press_levels_.high + value - press_value_});
      break;
    case Grip::point: drag_point(event->position()); break;
    case Grip::none: break;
  }
}
void HistogramPlot::mouseReleaseEvent(QMouseEvent*) { grip_ = Grip::none; }

void HistogramPlot::drag_point(QPointF at) {
  auto points = state_.opacity();
  const picture::Levels window = levels();
  const double low = point_ == 0 ? 0 : points[point_ - 1].position;
  const double high = point_ + 1 == points.size() ? 1 : points[point_ + 1].position;
  const double position = (value_at(at.x()) - window.low) / (window.high - window.low);
  const QRectF area = plot_area();
  points[point_] = {std::clamp(position, low, high), std::clamp((area.bottom() - at.y()) / area.height(), 0.0, 1.0)};
  state_.set_opacity(std::move(points));
}

// Adds an opacity point, or removes the one under the mouse.
void HistogramPlot::mouseDoubleClickEvent(QMouseEvent* event) {
  if (curve_ != Curve::opacity || histogram_.counts.empty()) return;
  auto points = state_.opacity();
  if (const auto hit = point_at(event->position())) {
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(*hit));
    point_ = 0;
  } else {
    const picture::Levels window = levels();
    const double position = (value_at(event->position().x()) - window.low) / (window.high - window.low);
    const QRectF area = plot_area();
    const double opacity = std::clamp((area.bottom() - event->position().y()) / area.height(), 0.0, 1.0);
    const auto place = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.position > position; });
    point_ = static_cast<std::size_t>(place - points.begin());
    points.insert(place, {std::clamp(position, 0.0, 1.0), opacity});
  }
  grip_ = Grip::none;
  state_.set_opacity(std::move(points));
}

// T chooses the next threshold, which arrow keys move until Escape.
bool HistogramPlot::take_line_key(int key) {
  if (lines_.empty() || curve_ != Curve::window) return false;
  if (key == Qt::Key_T) {
    line_ = line_ ? (*line_ + 1) % lines_.size() : 0;
    update();
    return true;
  }
  if (!line_) return false;
  const double step = key_step * (histogram_.range.high - histogram_.range.low);
  if (key == Qt::Key_Left || key == Qt::Key_Right)
    move_line(lines_[*line_] + (key == Qt::Key_Left ? -step : step));
  else if (key == Qt::Key_Escape)
    line_.reset();
  else
    return false;
  update();
  return true;
}

void HistogramPlot::keyPressEvent(QKeyEvent* event) {
  if (take_line_key(event->key())) return;
  const picture::Levels now = levels();
  const double step = key_step * (histogram_.range.high - histogram_.range.low);
  auto points = state_.opacity();
  const bool moves_point = curve_ == Curve::opacity && point_ < points.size();
  const auto move = [&](double right, double up) {
    if (moves_point)
      drag_point(pixel_of(points[point_]) + QPointF(2 * right, -2 * up));
    else
      set_levels({now.low + step * (right - up), now.high + step * (right + up)});
  };
  switch (event->key()) {
    case Qt::Key_Left: return move(-1, 0);
    case Qt::Key_Right: return move(1, 0);
    case Qt::Key_Up: return move(0, 1);
    case Qt::Key_Down: return move(0, -1);
    case Qt::Key_Delete:
      if (!moves_point) break;
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(point_));
      point_ = 0;
      return state_.set_opacity(std::move(points));
    case Qt::Key_Space:
      if (curve_ != Curve::opacity) break;
      point_ = (point_ + 1) % points.size();
      return update();
    default: break;
  }
  QWidget::keyPressEvent(event);
}

void HistogramPlot::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.setFont(Theme::number_font());
  const QRectF area = plot_area();
  painter.setPen(theme.color(Token::line));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  if (histogram_.counts.empty()) {
    painter.setPen(theme.color(Token::text_second));
    painter.drawText(area, Qt::AlignCenter, tr("No image"));
    return;
  }
  const auto most = *std::max_element(histogram_.counts.begin(), histogram_.counts.end());
  const double full = std::log1p(static_cast<double>(most)), step = area.width() / bins;
  // One polygon, since separate bars would overlap at their edges.
  QPolygonF shape{area.bottomLeft()};
  for (std::size_t i = 0; i < histogram_.counts.size(); ++i) {
    const double high = full > 0 ? std::log1p(static_cast<double>(histogram_.counts[i])) / full * area.height() : 0;
    const double left = area.left() + static_cast<double>(i) * step;
    shape << QPointF(left, area.bottom() - high) << QPointF(left + step, area.bottom() - high);
  }
  shape << area.bottomRight();
  QColor bars = theme.color(Token::text_second);
  bars.setAlphaF(0.65F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(bars);
  painter.drawPolygon(shape);
  paint_handles(painter);
  paint_lines(painter);
  if (curve_ == Curve::opacity) paint_opacity(painter);
  if (!hasFocus()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme.color(Token::accent));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void HistogramPlot::paint_handles(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF area = plot_area();
  const picture::Levels window = levels();
  const ColorMap map = curve_ == Curve::opacity ? state_.volume_color_map() : state_.color_map();
  const double low = std::clamp(x_of(window.low), area.left(), area.right());
  const double high = std::clamp(x_of(window.high), area.left(), area.right());
  for (double x = low; x < high; ++x) {
    const double at = (x - low) / std::max(1.0, high - low);
    painter.fillRect(QRectF(x, area.bottom() + 2, 1.2, 3), QColor::fromRgb(color_at(map, at)));
  }
  for (const double x : {low, high})
    painter.fillRect(QRectF(x - 1, area.top(), 2, area.height() + 6), theme.color(Token::accent));
}

void HistogramPlot::paint_lines(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF area = plot_area();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const double x = x_of(lines_[i]);
    if (x < area.left() || x > area.right()) continue;
    const QColor color = theme.color(Token::text);
    painter.setPen(QPen(color, line_ == i ? 2 : 1, Qt::DashLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const QString text = brief_number(lines_[i]);
    const double width = painter.fontMetrics().horizontalAdvance(text), height = painter.fontMetrics().height();
    // Labels are placed next to the line if there is space; values of lines close to each other are placed one below
    // the other.
    const double left = x + 4 + width <= area.right() ? x + 4 : x - 4 - width;
    const QRectF place(left, area.top() + static_cast<double>(i % 3) * height, width, height);
    QColor ground = theme.color(Token::dock);
    ground.setAlphaF(0.75F);
    painter.fillRect(place, ground);
    painter.drawText(place, Qt::AlignCenter, text);
  }
}

void HistogramPlot::paint_opacity(QPainter& painter) const {
  // Grey while a tint with its own opacity is shown; the first change of the curve ends the tint.
  const bool is_used = state_.volume_preset() == window_tint;
  const QColor color = Theme::instance().color(is_used ? Token::learnable : Token::text_second);
  painter.setRenderHint(QPainter::Antialiasing);
  QPolygonF line;
  for (const OpacityPoint& p : state_.opacity()) line << pixel_of(p);
  painter.setPen(QPen(color, 1.5));
  painter.drawPolyline(line);
  for (int i = 0; i < line.size(); ++i) {
    painter.setBrush(static_cast<std::size_t>(i) == point_ ? color : Theme::instance().color(Token::dock));
    painter.drawEllipse(line[i], 4, 4);
  }
}

}  // namespace tl::ui
