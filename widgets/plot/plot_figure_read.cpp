// PlotFigure: reads the point nearest to the cursor, writes its text, and marks it.
#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plot/custom_plot.h"
#include "widgets/plot/plot_figure.h"

namespace tl::ui {

QString figure_text(double value, double range) {
  if (!std::isfinite(value)) return QStringLiteral("–");
  constexpr int parts = 3;  // 10^-3 of the range can be distinguished
  const double magnitude = range > 0 ? std::floor(std::log10(range)) : std::floor(std::log10(std::abs(value) + 1e-300));
  const int decimals = static_cast<int>(std::clamp(parts - magnitude, 0.0, 12.0));
  const bool plain = decimals <= 6 && std::abs(value) < 1e6;
  return plain ? QString::number(value, 'f', decimals) : QString::number(value, 'g', 6);
}

QPointF PlotFigure::pixel(const DataPoint& point) const {
  const PlotSeries& s = content_.series.at(point.series);
  return {plot_.xAxis->coordToPixel(s.x.at(point.point)), plot_.yAxis->coordToPixel(shown_y(s.y.at(point.point)))};
}

std::optional<PlotFigure::DataPoint> PlotFigure::nearest(QPointF at) const {
  std::optional<DataPoint> found;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < content_.series.size(); ++i)
    for (std::size_t j = 0; j < content_.series[i].x.size(); ++j) {
      const QPointF away = pixel({i, j}) - at;
      // Distance along x counts more, since users follow a curve along x.
      const double distance = 4 * away.x() * away.x() + away.y() * away.y();
      if (!(distance < least)) continue;
      least = distance;
      found = DataPoint{i, j};
    }
  return found;
}

QString PlotFigure::point_text(const DataPoint& point) const {
  const PlotSeries& s = content_.series.at(point.series);
  QString value = figure_text(s.y[point.point], plot_.yAxis->range().size());
  if (point.point < s.sigma.size() && s.sigma[point.point] > 0)
    value += QStringLiteral(" ± ") + QString::number(s.sigma[point.point], 'g', 2);
  if (!content_.y.unit.isEmpty()) value += QLatin1Char(' ') + content_.y.unit;
  QString at = figure_text(s.x[point.point], plot_.xAxis->range().size());
  if (s.x[point.point] == std::round(s.x[point.point])) at = QString::number(s.x[point.point], 'g', 8);
  if (!content_.x.unit.isEmpty()) at += QLatin1Char(' ') + content_.x.unit;
  const QString read = QCoreApplication::translate("Plot", "%1 at %2").arg(value, at);
  return s.name.isEmpty() || content_.series.size() < 2 ? read : s.name + QStringLiteral(": ") + read;
}

QString PlotFigure::map_text(QPointF at) const {
  if (!content_.map) return {};
  const PlotMap& map = *content_.map;
  const double x = plot_.xAxis->pixelToCoord(at.x()), y = plot_.yAxis->pixelToCoord(at.y());
  const auto index = [](const std::vector<double>& centres, double v) {
    const double step = (centres.back() - centres.front()) / static_cast<double>(centres.size() - 1);
    return std::lround((v - centres.front()) / step);
  };
  const long i = index(map.x, x), j = index(map.y, y);
  if (i < 0 || j < 0 || i >= static_cast<long>(map.x.size()) || j >= static_cast<long>(map.y.size())) return {};
  const auto column = static_cast<std::size_t>(i), line = static_cast<std::size_t>(j);
  return QCoreApplication::translate("Plot", "%1 at %2, %3")
      .arg(map.values[line * map.x.size() + column], 0, 'g', 5)
      .arg(map.x[column], 0, 'g', 5)
      .arg(map.y[line], 0, 'g', 5);
}

void PlotFigure::point_at(const std::optional<DataPoint>& point) {
  cursor_point_ = point;
  if (cursor_point_ && (cursor_point_->series >= content_.series.size() ||
                        cursor_point_->point >= content_.series[cursor_point_->series].x.size()))
    cursor_point_.reset();
  if (cursor_ == nullptr) {
    cursor_ = new QCPItemStraightLine(&plot_);
    tracer_ = new QCPItemTracer(&plot_);
    cursor_->setLayer(QStringLiteral("overlay"));
    tracer_->setLayer(QStringLiteral("overlay"));
    cursor_->setPen(QPen(color(Token::text_second), 1, Qt::DotLine));
    tracer_->setStyle(QCPItemTracer::tsCircle);
    tracer_->setSize(7);
    tracer_->setPen(QPen(color(Token::text), 1.5));
  }
  cursor_->setVisible(cursor_point_.has_value());
  tracer_->setVisible(cursor_point_.has_value());
  if (!cursor_point_) return;
  const PlotSeries& s = content_.series[cursor_point_->series];
  const double x = s.x[cursor_point_->point], y = shown_y(s.y[cursor_point_->point]);
  cursor_->point1->setCoords(x, plot_.yAxis->range().lower);
  cursor_->point2->setCoords(x, plot_.yAxis->range().upper);
  tracer_->position->setCoords(x, y);
}

}  // namespace tl::ui
