// Small plots as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/picture/image.h"

namespace tl::history {

struct PlotLine {
  std::string x_title, y_title;
  std::vector<double> x, y;  // of equal length; pairs with a non-finite value leave a gap in the curve
};
// A curve with the ends of both axes; empty without two finite points.
std::string line_plot_svg(const PlotLine& line);
// Histogram of the pixel values, as steps; empty without finite pixels.
std::string histogram_svg(const picture::Image& image, const std::string& unit);
// A horizontal bar for each name, in the given order, with its value as text ("1.2 s"); empty without bars.
struct Bar {
  std::string name, value;
  double length = 0;
};
std::string bars_svg(const std::vector<Bar>& bars, const std::string& title);

}  // namespace tl::history
