// PlotFigure: draws axes, lines, bands, marks and maps of a PlotContent with QCustomPlot.
#include "widgets/plot/plot_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "widgets/plot/custom_plot.h"
#include "widgets/text/color_map.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr double margin = 0.06;        // fraction of the range, around the data
constexpr int left_margin = 56;        // px, fixed, so that plots below each other align
constexpr std::size_t max_named = 6;   // in the legend
constexpr std::size_t few_points = 3;  // the points of a line with so few are marked
constexpr float band_alpha = 0.22F, faint_alpha = 0.65F, legend_alpha = 0.8F;
constexpr const char* below = "marks";  // name of the layer below the lines

QColor faded(QColor color, float alpha) {
  color.setAlphaF(alpha);
  return color;
}

QFont small_font() {
  QFont font = Theme::number_font();
  font.setPixelSize(11);
  return font;
}

Qt::PenStyle pen_style(PlotStroke stroke) {
  switch (stroke) {
    case PlotStroke::dashed: return Qt::DashLine;
    case PlotStroke::dotted: return Qt::DotLine;
    case PlotStroke::solid:
    case PlotStroke::points: break;
  }
  return Qt::SolidLine;
}

QCPColorGradient map_colors() {
  constexpr int stops = 32;
  QCPColorGradient gradient;
  QMap<double, QColor> colors;
  for (int i = 0; i <= stops; ++i) {
    const double at = static_cast<double>(i) / stops;
    colors.insert(at, QColor::fromRgb(color_at(ColorMap::viridis, at)));
  }
  gradient.setColorStops(colors);
  return gradient;
}

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

}  // namespace

PlotFigure::PlotFigure(QCustomPlot& plot)
    : plot_(plot), tokens_(&token_sets().front()), title_(new QCPTextElement(&plot)) {
  plot_.plotLayout()->insertRow(0);
  plot_.plotLayout()->addElement(0, 0, title_);
  plot_.plotLayout()->setRowSpacing(2);
  title_->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
  title_->setLayer(QStringLiteral("overlay"));
  title_->setSelectable(false);
  plot_.addLayer(QLatin1String(below), plot_.layer(QStringLiteral("main")), QCustomPlot::limBelow);
  plot_.axisRect()->setMinimumMargins(QMargins(left_margin, 4, 10, 4));
  plot_.setAutoAddPlottableToLegend(false);
}

QColor PlotFigure::color(Token token) const {
  return QColor::fromRgb(tokens_->colors.at(static_cast<std::size_t>(token)));
}

QString PlotFigure::title() const {
  QString text = content_.title.isEmpty() ? content_.y.label() : content_.title;
  if (y_scale_ == PlotScale::logarithmic && content_.floor)
    text = QCoreApplication::translate("Plot", "%1 above %2").arg(text).arg(*content_.floor, 0, 'g', 4);
  return text;
}
void PlotFigure::set_title(const QString& text) { title_->setText(text); }

void PlotFigure::set_content(PlotContent content) {
  content_ = std::move(content);
  for (const PlotSide side : {PlotSide::x, PlotSide::y})
    if (!may_be_logarithmic(side)) set_scale(side, PlotScale::linear);
  draw();
}

bool PlotFigure::may_be_logarithmic(PlotSide side) const {
  if (content_.map || content_.series.empty()) return false;
  if (side == PlotSide::y && content_.floor) return true;
  bool any = false;
  for (const PlotSeries& s : content_.series)
    for (const double v : side == PlotSide::x ? s.x : s.y) {
      if (!std::isfinite(v)) continue;
      // x often counts from 0; such a point is left out on a logarithmic axis.
      if (v < 0 || (v == 0 && side == PlotSide::y)) return false;
      any = any || v > 0;
    }
  return any;
}

void PlotFigure::set_scale(PlotSide side, PlotScale scale) {
  PlotScale& now = side == PlotSide::x ? x_scale_ : y_scale_;
  if (now == scale) return;
  now = scale;
  draw();
}

void PlotFigure::set_tokens(const TokenSet& tokens) {
  tokens_ = &tokens;
  draw();
}

double PlotFigure::shown_y(double y) const {
  if (y_scale_ == PlotScale::linear) return y;
  const double above = content_.floor ? y - *content_.floor : y;
  return above > 0 ? above : std::nan("");
}

void PlotFigure::draw() {
  plot_.clearPlottables();
  plot_.clearItems();
  cursor_ = nullptr;
  tracer_ = nullptr;
  if (plot_.plotLayout()->hasElement(1, 1)) {
    plot_.plotLayout()->remove(plot_.plotLayout()->element(1, 1));
    plot_.plotLayout()->simplify();
  }
  style_axes();
  if (content_.map) draw_map(*content_.map);
  for (const PlotMark& mark : content_.marks) draw_mark(mark);
  for (const PlotSeries& series : content_.series) draw_series(series);
  style_legend();
  title_->setText(title());
  point_at(cursor_point_);
}

void PlotFigure::style_axes() {
  plot_.setBackground(QBrush(color(Token::dock)));
  title_->setFont(small_font());
  title_->setTextColor(color(Token::text));
  // Integer x such as iterations and views gets integer ticks, even if points lie in between.
  const auto is_line = [](const PlotSeries& s) { return s.stroke != PlotStroke::points; };
  const bool counted =
      !content_.map && std::any_of(content_.series.begin(), content_.series.end(), is_line) &&
      std::all_of(content_.series.begin(), content_.series.end(), [&](const PlotSeries& s) {
        return !is_line(s) || std::all_of(s.x.begin(), s.x.end(), [](double x) { return x == std::round(x); });
      });
  const auto ticker = [counted](PlotScale scale, PlotSide side) -> QSharedPointer<QCPAxisTicker> {
    if (scale == PlotScale::logarithmic) return QSharedPointer<QCPAxisTickerLog>::create();
    if (!counted || side == PlotSide::y) return QSharedPointer<QCPAxisTicker>::create();
    const auto whole = QSharedPointer<QCPAxisTickerFixed>::create();
    whole->setTickStep(1);
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    return whole;
  };
  for (QCPAxis* axis : {plot_.xAxis, plot_.yAxis}) {
    const bool is_x = axis == plot_.xAxis;
    const PlotScale scale = is_x ? x_scale_ : y_scale_;
    axis->setScaleType(scale == PlotScale::linear ? QCPAxis::stLinear : QCPAxis::stLogarithmic);
    QSharedPointer<QCPAxisTicker> ticks = ticker(scale, is_x ? PlotSide::x : PlotSide::y);
    ticks->setTickCount(is_x ? 5 : 4);
    axis->setTicker(ticks);
    axis->setNumberFormat(QStringLiteral("gb"));
    axis->setNumberPrecision(6);
    axis->setBasePen(QPen(color(Token::border)));
    axis->setTickPen(QPen(color(Token::border)));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLength(0, 3);
    axis->setTickLabels(!content_.empty());
    axis->setTickLabelFont(small_font());
    axis->setTickLabelColor(color(Token::text_second));
    axis->setLabelFont(small_font());
    axis->setLabelColor(color(Token::text_second));
    axis->setLabelPadding(0);
    axis->grid()->setPen(QPen(color(Token::line), 1));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->grid()->setVisible(!is_x && !content_.map);
  }
  plot_.xAxis->setLabel(content_.x.label());
  plot_.yAxis->setLabel(content_.map ? content_.y.label() : QString());
}

void PlotFigure::draw_series(const PlotSeries& series) {
  const QColor full = series.own_color ? QColor::fromRgb(*series.own_color) : color(series.color);
  const QColor ink = series.weight == PlotWeight::strong ? full : faded(full, faint_alpha);
  QVector<double> x, y, low, high;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const double sigma = i < series.sigma.size() && std::isfinite(series.sigma[i]) ? series.sigma[i] : 0;
    x << (x_scale_ == PlotScale::logarithmic && series.x[i] <= 0 ? std::nan("") : series.x[i]);
    y << shown_y(series.y[i]);
    low << shown_y(series.y[i] - sigma);
    high << shown_y(series.y[i] + sigma);
  }
  if (!series.sigma.empty()) {
    QCPGraph* upper = plot_.addGraph();
    QCPGraph* lower = plot_.addGraph();
    for (QCPGraph* edge : {upper, lower}) {
      edge->setLayer(QLatin1String(below));
      edge->setPen(Qt::NoPen);
    }
    upper->setData(x, high, true);
    lower->setData(x, low, true);
    upper->setBrush(faded(ink, band_alpha));
    upper->setChannelFillGraph(lower);
  }
  // QCPCurve instead of QCPGraph, since x of a path over a map is not monotonic.
  auto* line = new QCPCurve(plot_.xAxis, plot_.yAxis);
  line->setData(x, y);
  line->setName(series.name);
  line->setAntialiased(true);
  const double width = series.weight == PlotWeight::strong ? 1.8 : 1.1;
  line->setPen(QPen(ink, width, pen_style(series.stroke), Qt::RoundCap, Qt::RoundJoin));
  constexpr double dot = 4;  // px
  if (series.stroke == PlotStroke::points) {
    line->setLineStyle(QCPCurve::lsNone);
    line->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, ink, ink, dot));
    if (series.weight == PlotWeight::faint) line->setLayer(QLatin1String(below));
  } else if (series.x.size() <= few_points) {
    line->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, ink, ink, dot));
  }
  if (!series.name.isEmpty() && plot_.legend->itemCount() < static_cast<int>(max_named)) line->addToLegend();
}

void PlotFigure::draw_mark(const PlotMark& mark) {
  const bool across_x = mark.along == PlotMark::Along::x;
  const double at = across_x ? mark.at : shown_y(mark.at);
  if (!std::isfinite(at)) return;
  const auto put = [&](QCPItemPosition* position, double value, double ratio) {
    position->setTypeX(across_x ? QCPItemPosition::ptPlotCoords : QCPItemPosition::ptAxisRectRatio);
    position->setTypeY(across_x ? QCPItemPosition::ptAxisRectRatio : QCPItemPosition::ptPlotCoords);
    across_x ? position->setCoords(value, ratio) : position->setCoords(ratio, value);
  };
  if (mark.sigma > 0) {
    auto* band = new QCPItemRect(&plot_);
    band->setLayer(QLatin1String(below));
    band->setPen(Qt::NoPen);
    band->setBrush(faded(color(mark.color), band_alpha));
    const double low = across_x ? mark.at - mark.sigma : shown_y(mark.at - mark.sigma);
    const double high = across_x ? mark.at + mark.sigma : shown_y(mark.at + mark.sigma);
    put(band->topLeft, std::isfinite(low) ? low : at, 0);
    put(band->bottomRight, high, 1);
  }
  auto* line = new QCPItemStraightLine(&plot_);
  line->setLayer(QLatin1String(below));
  line->setPen(QPen(color(mark.color), 1, Qt::SolidLine));
  put(line->point1, at, 0);
  put(line->point2, at, 1);
}

void PlotFigure::draw_map(const PlotMap& map) {
  auto* shown = new QCPColorMap(plot_.xAxis, plot_.yAxis);
  shown->setLayer(QLatin1String(below));
  const auto columns = static_cast<int>(map.x.size()), rows = static_cast<int>(map.y.size());
  shown->data()->setSize(columns, rows);
  shown->data()->setRange(QCPRange(map.x.front(), map.x.back()), QCPRange(map.y.front(), map.y.back()));
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i)
      shown->data()->setCell(i, j,
                             map.values.at(static_cast<std::size_t>(j) * map.x.size() + static_cast<std::size_t>(i)));
  shown->setInterpolate(false);
  auto* scale = new QCPColorScale(&plot_);
  plot_.plotLayout()->addElement(1, 1, scale);
  scale->setBarWidth(10);
  scale->axis()->setTickLabelFont(small_font());
  scale->axis()->setTickLabelColor(color(Token::text_second));
  scale->axis()->setBasePen(QPen(color(Token::border)));
  scale->axis()->setTickPen(QPen(color(Token::border)));
  scale->axis()->setSubTickPen(Qt::NoPen);
  scale->setLabel(map.axis.label());
  scale->axis()->setLabelFont(small_font());
  scale->axis()->setLabelColor(color(Token::text_second));
  shown->setColorScale(scale);
  shown->setGradient(map_colors());
  shown->rescaleDataRange(true);
  auto* group = new QCPMarginGroup(&plot_);
  plot_.axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, group);
  scale->setMarginGroup(QCP::msTop | QCP::msBottom, group);
}

void PlotFigure::style_legend() {
  plot_.legend->setVisible(plot_.legend->itemCount() > 1);
  plot_.legend->setFont(small_font());
  plot_.legend->setTextColor(color(Token::text));
  plot_.legend->setBrush(faded(color(Token::dock), legend_alpha));
  plot_.legend->setBorderPen(QPen(color(Token::line)));
  plot_.legend->setIconSize(16, 8);
  plot_.legend->setRowSpacing(0);
  plot_.legend->setMargins(QMargins(4, 2, 4, 2));
}

PlotRange PlotFigure::full_range(PlotSide side) const {
  Extent extent;
  const bool is_x = side == PlotSide::x;
  for (const PlotSeries& s : content_.series)
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (is_x) {
        if (x_scale_ == PlotScale::linear || s.x[i] > 0) extent.add(s.x[i]);
        continue;
      }
      const double sigma = i < s.sigma.size() && std::isfinite(s.sigma[i]) ? s.sigma[i] : 0;
      extent.add(shown_y(s.y[i]));
      extent.add(shown_y(s.y[i] - sigma));
      extent.add(shown_y(s.y[i] + sigma));
    }
  for (const PlotMark& m : content_.marks)
    if (!is_x && m.along == PlotMark::Along::y)
      for (const double v : {m.at - m.sigma, m.at + m.sigma}) extent.add(shown_y(v));
  if (content_.map) {
    const std::vector<double>& at = is_x ? content_.map->x : content_.map->y;
    const double half = 0.5 * (at.back() - at.front()) / static_cast<double>(at.size() - 1);
    return {at.front() - half, at.back() + half};
  }
  if (!(extent.low <= extent.high)) return {0, std::max(1.0, is_x ? content_.x.min_span : 0.0)};
  if ((is_x ? x_scale_ : y_scale_) == PlotScale::logarithmic) {
    const double room =
        is_x && extent.high > extent.low ? 1 : std::pow(std::max(extent.high / extent.low, 2.0), margin);
    return {extent.low / room, extent.high * room};
  }
  const double least = is_x ? content_.x.min_span : content_.y.min_span;
  if (const double missing = least - (extent.high - extent.low); missing > 0) {
    extent.high += is_x ? missing : 0.5 * missing;
    extent.low -= is_x ? 0 : 0.5 * missing;
  }
  double room = margin * (extent.high - extent.low);
  if (room <= 0) room = extent.high != 0 ? 0.05 * std::abs(extent.high) : 1;
  // Along x, lines fill the width without a margin.
  return is_x && extent.high > extent.low ? PlotRange{extent.low, extent.high}
                                          : PlotRange{extent.low - room, extent.high + room};
}

void PlotFigure::fit() {
  const PlotRange x = full_range(PlotSide::x), y = full_range(PlotSide::y);
  plot_.xAxis->setRange(x.low, x.high);
  plot_.yAxis->setRange(y.low, y.high);
  place_legend();
}

// Places the legend over the fewest points.
void PlotFigure::place_legend() {
  struct Corner {
    Qt::Alignment alignment;
    double x, y;  // its centre, as fractions of the ranges
  };
  static constexpr double across = 0.25, down = 0.3;  // half of its size, as fractions of the ranges
  const std::array corners{Corner{Qt::AlignTop | Qt::AlignRight, 1 - across, 1 - down},
                           Corner{Qt::AlignTop | Qt::AlignHCenter, 0.5, 1 - down},
                           Corner{Qt::AlignTop | Qt::AlignLeft, across, 1 - down},
                           Corner{Qt::AlignBottom | Qt::AlignRight, 1 - across, down},
                           Corner{Qt::AlignBottom | Qt::AlignLeft, across, down}};
  const QCPRange x_range = plot_.xAxis->range(), y_range = plot_.yAxis->range();
  const auto points_below = [&](const Corner& corner) {
    int count = 0;
    for (const PlotSeries& s : content_.series)
      for (std::size_t i = 0; i < s.x.size(); ++i) {
        const double x = (s.x[i] - x_range.lower) / x_range.size();
        const double y = (shown_y(s.y[i]) - y_range.lower) / y_range.size();
        if (std::abs(x - corner.x) <= across && std::abs(y - corner.y) <= down) ++count;
      }
    return count;
  };
  const auto* best = std::min_element(corners.begin(), corners.end(), [&](const Corner& a, const Corner& b) {
    return points_below(a) < points_below(b);
  });
  plot_.axisRect()->insetLayout()->setInsetAlignment(0, best->alignment);
}

}  // namespace tl::ui
