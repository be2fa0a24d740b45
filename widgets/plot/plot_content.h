// PlotContent: contents of a plot as plain data: lines with bands, marks, a map; with conversion to CSV.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "widgets/theme/tokens.h"

namespace tl::ui {

struct PlotAxis {
  QString title, unit;  // unit "" = dimensionless
  // Minimum range of the axis, so that one or two points have a readable axis: x is extended upwards, y to both sides;
  // 0 = no minimum.
  double min_span = 0;
  [[nodiscard]] QString label() const;  // "axis [px]"
};

enum class PlotStroke { solid, dashed, dotted, points };
// faint: for secondary curves such as earlier runs; faint points lie below all lines.
enum class PlotWeight { strong, faint };

struct PlotSeries {
  QString name;                    // for legend and CSV
  std::vector<double> x, y;        // of equal length; non-finite values leave a gap
  std::vector<double> sigma = {};  // half width of the band, one per point; empty = no band
  Token color = Token::busy;
  PlotStroke stroke = PlotStroke::solid;
  PlotWeight weight = PlotWeight::strong;
  std::optional<QRgb> own_color = {};  // instead of `color`: colour of a class of labels
};

// A line across the plot at a value of x or y, with a band of one sigma on both sides (0 = no band).
struct PlotMark {
  enum class Along { x, y } along = Along::x;  // the axis of the value
  double at = 0, sigma = 0;
  Token color = Token::accent;
};

// Values on a regular grid, row by row, x varying fastest; drawn below the lines.
struct PlotMap {
  std::vector<double> x, y, values;  // cell centres in ascending order, at least two each; values
  PlotAxis axis;                     // of the values
};

struct PlotContent {
  QString title;  // empty: the y axis' title is used
  PlotAxis x, y;
  std::vector<PlotSeries> series = {};
  std::vector<PlotMark> marks = {};
  std::optional<PlotMap> map = {};
  // On a logarithmic axis, y is shown as y - floor, so that a loss with negative values can be plotted in decades.
  std::optional<double> floor = {};

  [[nodiscard]] bool empty() const { return series.empty() && !map; }
};

// One series: x, y and, if known, the uncertainty. Several: one after the other, with names in the first column. A map:
// x, y, value.
QString plot_csv(const PlotContent& content);
// Accessible text: number of points, first and last value of each series.
QString plot_summary(const PlotContent& content);

}  // namespace tl::ui
