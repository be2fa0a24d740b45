// ProfilePanel: plots a line profile: one curve and two axes with labelled ends; copies and saves it.
#include "widgets/views/measure/profile_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/session/save_dialog.h"
#include "widgets/text/error_text.h"
#include "widgets/theme/theme.h"
#include "widgets/views/measure/measurements.h"

namespace tl::ui {
namespace {
constexpr double label_gap = 5, header_height = 32;  // px
}

ProfilePanel::ProfilePanel(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Line profile"));
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(4, 4, 4, 4);
  row->setAlignment(Qt::AlignTop);
  row->addStretch();
  const auto button = [this, row](const QString& text, const QString& tip, auto act) {
    auto* b = new QToolButton(this);
    b->setText(text);
    b->setToolTip(tip);
    b->setAccessibleName(tip);
    b->setAutoRaise(true);
    connect(b, &QToolButton::clicked, this, act);
    row->addWidget(b);
  };
  button(tr("Copy"), tr("Copy the profile as CSV"), [this] { QGuiApplication::clipboard()->setText(csv()); });
  button(tr("CSV…"), tr("Save the profile as CSV"), [this] { ask_and_save(); });
  button(QStringLiteral("✕"), tr("Remove the line profile"), [this] { Q_EMIT closed(); });
  connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ProfilePanel::set_profile(std::vector<picture::ProfilePoint> points, double per_pixel, const QString& length_unit,
                               const QString& value_unit) {
  points_ = std::move(points);
  per_pixel_ = per_pixel;
  length_unit_ = length_unit;
  value_unit_ = value_unit;
  low_ = std::numeric_limits<double>::infinity();
  high_ = -low_;
  for (const auto& p : points_)
    if (std::isfinite(p.value)) {
      low_ = std::min(low_, p.value);
      high_ = std::max(high_, p.value);
    }
  if (!(low_ < high_)) {
    const double middle = std::isfinite(low_) ? low_ : 0;
    low_ = middle - 0.5;
    high_ = middle + 0.5;
  }
  update();
}

QString ProfilePanel::csv() const {
  QString text = QStringLiteral("distance [%1],value").arg(length_unit_);
  if (!value_unit_.isEmpty()) text += QStringLiteral(" [%1]").arg(value_unit_);
  text += QLatin1Char('\n');
  for (const auto& p : points_)
    text += QString::number(p.distance * per_pixel_, 'g', 9) + QLatin1Char(',') + QString::number(p.value, 'g', 9) +
            QLatin1Char('\n');
  return text;
}

Result<void> ProfilePanel::save_csv(const QString& path) const { return write_export(path, csv().toUtf8(), rules_); }

void ProfilePanel::ask_and_save() {
  const QString path = ask_for_file(this, {tr("Save the profile"), tr("profile.csv"), tr("Tables (*.csv)"), {".csv"}});
  if (path.isEmpty()) return;
  if (const Result<void> saved = save_csv(path); !saved.ok())
    QMessageBox::warning(this, tr("Save the profile"), error_text(saved.error()));
}

// Leaves room for the labels: the limits of the values to the left, the distances below.
QRectF ProfilePanel::plot_area() const {
  const QFontMetricsF metrics(Theme::number_font());
  const double left =
      std::max(metrics.horizontalAdvance(number_text(low_)), metrics.horizontalAdvance(number_text(high_)));
  return QRectF(rect()).adjusted(left + 2 * label_gap, header_height, -14, -(metrics.height() + 2 * label_gap));
}

void ProfilePanel::mouseMoveEvent(QMouseEvent* event) {
  const QRectF area = plot_area();
  hover_ = std::clamp((event->position().x() - area.left()) / area.width(), 0.0, 1.0);
  update();
}
void ProfilePanel::leaveEvent(QEvent*) {
  hover_.reset();
  update();
}

void ProfilePanel::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.fillRect(rect(), theme.color(Token::dock));
  painter.setPen(theme.color(Token::line));
  painter.drawLine(0, 0, width(), 0);
  if (points_.empty()) return;
  const QRectF area = plot_area();
  painter.setFont(Theme::number_font());
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  painter.drawLine(area.topLeft(), area.topRight());
  const double length = std::max(points_.back().distance, 1e-12);
  const auto place = [&](const picture::ProfilePoint& p) {
    return QPointF(area.left() + p.distance / length * area.width(),
                   area.bottom() - (p.value - low_) / (high_ - low_) * area.height());
  };
  QPainterPath curve;
  bool pen_down = false;  // NaN leaves a gap
  for (const auto& p : points_) {
    const bool is_number = std::isfinite(p.value);
    if (is_number && pen_down) curve.lineTo(place(p));
    if (is_number && !pen_down) curve.moveTo(place(p));
    pen_down = is_number;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.color(Token::learnable), 1.5));
  painter.drawPath(curve);

  painter.setPen(theme.color(Token::text_second));
  const double line = QFontMetricsF(painter.font()).height();
  const QRectF left(0, -0.5 * line, area.left() - label_gap, line);
  painter.drawText(left.translated(0, area.top()), Qt::AlignRight | Qt::AlignVCenter, number_text(high_));
  painter.drawText(left.translated(0, area.bottom()), Qt::AlignRight | Qt::AlignVCenter, number_text(low_));
  const QRectF below(area.left(), area.bottom() + label_gap, area.width(), line);
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
  painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter,
                   number_text(length * per_pixel_) + QLatin1Char(' ') + length_unit_);
  painter.setPen(theme.color(Token::text));
  QString head = tr("Profile");
  if (!value_unit_.isEmpty()) head += QStringLiteral(" · ") + value_unit_;
  if (hover_) {
    const auto index = static_cast<std::size_t>(std::lround(*hover_ * static_cast<double>(points_.size() - 1)));
    const auto& p = points_[index];
    head +=
        QStringLiteral(" · %1 at %2 %3").arg(number_text(p.value), number_text(p.distance * per_pixel_), length_unit_);
    painter.drawLine(QPointF(place(p).x(), area.top()), QPointF(place(p).x(), area.bottom()));
  }
  painter.drawText(QRectF(10, 6, width() - 20.0, line), Qt::AlignLeft | Qt::AlignVCenter, head);
}

}  // namespace tl::ui
