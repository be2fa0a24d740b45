// CurvePlot: paints one curve with axes and a mark, in colours of the theme.
#include "widgets/inspector/curve_plot.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/text/typeset.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int plot_height = 132;       // px
constexpr int below = 18, above = 16;  // px, for the texts

QString text(double value) { return typeset(QString::number(value, 'g', 4)); }

}  // namespace

CurvePlot::CurvePlot(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(plot_height);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Evidence curve"));
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}
QSize CurvePlot::sizeHint() const { return {Theme::space(60), plot_height}; }

void CurvePlot::show_curve(Curve curve) {
  curve_ = std::move(curve);
  const auto bounds = [](const std::vector<double>& values, double& low, double& high) {
    low = high = std::nan("");
    for (const double v : values) {
      if (!std::isfinite(v)) continue;
      low = std::isnan(low) ? v : std::min(low, v);
      high = std::isnan(high) ? v : std::max(high, v);
    }
    if (std::isnan(low)) low = high = 0;
    if (low == high) high = low + 1;
  };
  bounds(curve_.x, low_x_, high_x_);
  bounds(curve_.y, low_y_, high_y_);
  update();
}

QRectF CurvePlot::plot_area() const { return QRectF(rect()).adjusted(1, above, -1, -below); }

QPointF CurvePlot::pixel_at(double x, double y) const {
  const QRectF area = plot_area();
  return {area.left() + area.width() * (x - low_x_) / (high_x_ - low_x_),
          area.bottom() - area.height() * (y - low_y_) / (high_y_ - low_y_)};
}

void CurvePlot::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = Theme::instance();
  const QRectF area = plot_area();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QFont small = Theme::number_font();
  small.setPixelSize(11);
  painter.setFont(small);
  painter.setPen(theme.color(Token::line));
  constexpr int rules = 3;
  for (int i = 0; i <= rules; ++i) {
    const double y = area.top() + area.height() * i / rules;
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  }
  painter.setPen(theme.color(Token::text_second));
  painter.drawText(QRectF(0, 0, width(), above), Qt::AlignLeft | Qt::AlignTop, curve_.y_title);
  const QRectF foot(0, height() - below, width(), below);
  painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom, text(low_x_));
  painter.drawText(foot, Qt::AlignRight | Qt::AlignBottom, text(high_x_));
  painter.drawText(foot, Qt::AlignHCenter | Qt::AlignBottom, curve_.x_title);
  if (curve_.mark && *curve_.mark >= low_x_ && *curve_.mark <= high_x_) {
    const double x = pixel_at(*curve_.mark, low_y_).x();
    QColor band = theme.color(Token::accent);
    const double half = std::max(1.0, pixel_at(low_x_ + curve_.mark_width, low_y_).x() - area.left());
    band.setAlphaF(0.3F);
    painter.fillRect(QRectF(x - half, area.top(), 2 * half, area.height()), band);
    painter.setPen(QPen(theme.color(Token::accent), 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  }
  QPainterPath path;
  for (std::size_t i = 0; i < curve_.x.size(); ++i) {
    if (!std::isfinite(curve_.x[i]) || !std::isfinite(curve_.y[i])) continue;
    const QPointF at = pixel_at(curve_.x[i], curve_.y[i]);
    path.elementCount() == 0 ? path.moveTo(at) : path.lineTo(at);
  }
  painter.setPen(QPen(theme.color(Token::busy), 1.5));
  painter.drawPath(path);
}

bool CurvePlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || curve_.x.empty()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF area = plot_area();
  const double x = low_x_ + (high_x_ - low_x_) * (help->pos().x() - area.left()) / area.width();
  const auto nearest = std::min_element(curve_.x.begin(), curve_.x.end(),
                                        [x](double a, double b) { return std::abs(a - x) < std::abs(b - x); });
  const auto at = static_cast<std::size_t>(nearest - curve_.x.begin());
  QToolTip::showText(
      help->globalPos(),
      QStringLiteral("%1: %2\n%3: %4").arg(curve_.x_title, text(curve_.x[at]), curve_.y_title, text(curve_.y[at])),
      this);
  return true;
}

}  // namespace tl::ui
