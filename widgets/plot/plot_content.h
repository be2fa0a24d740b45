// PlotContent: what a plot shows, as plain data: lines with bands, marks, a map; and the same as CSV.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "widgets/theme/tokens.h"

namespace tl::ui {

struct PlotAxis {
  QString title, unit;                  // unit "" = plain numbers
  [[nodiscard]] QString label() const;  // "axis [px]"
};

enum class PlotStroke { solid, dashed, dotted, points };
// faint: beside what matters, such as earlier runs.
enum class PlotWeight { strong, faint };

struct PlotSeries {
  QString name;                    // in legend and CSV
  std::vector<double> x, y;        // of equal length; what is not finite leaves a gap
  std::vector<double> sigma = {};  // half width of the band, one per point; empty = no band
  Token color = Token::busy;
  PlotStroke stroke = PlotStroke::solid;
  PlotWeight weight = PlotWeight::strong;
};

// A line across the plot at a value of x or y, with a band of one sigma to both sides (0 = no band).
struct PlotMark {
  enum class Along { x, y } along = Along::x;  // the axis that the value belongs to
  double at = 0, sigma = 0;
  Token color = Token::accent;
};

// Values on a regular grid, row by row, x varies fastest; drawn under the lines.
struct PlotMap {
  std::vector<double> x, y, values;  // centres, rising; at least two of each
  PlotAxis axis;                     // of the values
};

struct PlotContent {
  QString title;  // empty: the name of the y axis
  PlotAxis x, y;
  std::vector<PlotSeries> series = {};
  std::vector<PlotMark> marks = {};
  std::optional<PlotMap> map = {};
  // With a logarithmic y axis, y counts from here: a loss that is negative can still be seen to fall by decades.
  std::optional<double> floor = {};

  [[nodiscard]] bool empty() const { return series.empty() && !map; }
};

// One series: x, y and, where there is one, the uncertainty. Several: the same below each other, named in the first
// column. A map: x, y, value.
QString plot_csv(const PlotContent& content);
// For people who do not see the plot: how many points, from where to where.
QString plot_summary(const PlotContent& content);

}  // namespace tl::ui
