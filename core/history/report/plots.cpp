// Draws curves, histograms and bars.
#include "core/history/report/plots.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/history/report/paper.h"
#include "core/history/report/svg.h"
#include "core/picture/levels.h"

namespace tl::history {
namespace {

constexpr double plot_width = 480, plot_height = 220, plot_left = 64, plot_right = 12, plot_top = 10, plot_bottom = 40;
constexpr double text_size = 11;

std::string brief(double value) { return formatted("%.4g", value); }

}  // namespace

std::string line_plot_svg(const PlotLine& line) {
  double x_low = std::numeric_limits<double>::max(), x_high = -x_low, y_low = x_low, y_high = -x_low;
  std::vector<std::vector<SvgPoint>> pieces(1);
  std::size_t points = 0;
  for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
    if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i])) {
      pieces.emplace_back();
      continue;
    }
    x_low = std::min(x_low, line.x[i]), x_high = std::max(x_high, line.x[i]);
    y_low = std::min(y_low, line.y[i]), y_high = std::max(y_high, line.y[i]);
    pieces.back().push_back({line.x[i], line.y[i]});
    ++points;
  }
  if (points < 2) return {};
  const double x_span = x_high > x_low ? x_high - x_low : 1, y_span = y_high > y_low ? y_high - y_low : 1;
  const double wide = plot_width - plot_left - plot_right, high = plot_height - plot_top - plot_bottom;
  Svg svg({0, 0}, plot_width, plot_height, line.y_title + " over " + line.x_title);
  svg.rectangle({plot_left, plot_top}, wide, high, 0, svg_line(paper::border, 1));
  for (std::vector<SvgPoint>& piece : pieces) {
    for (SvgPoint& p : piece)
      p = {plot_left + (p.x - x_low) / x_span * wide, plot_top + high - (p.y - y_low) / y_span * high};
    if (piece.size() > 1) svg.polyline(piece, svg_line(paper::busy, 1.5));
  }
  const SvgText second{text_size, paper::second}, at_end{text_size, paper::second, Anchor::end};
  const double below = plot_height - plot_bottom + 16;
  svg.text({plot_left, below}, brief(x_low), second);
  svg.text({plot_width - plot_right, below}, brief(x_high), at_end);
  svg.text({plot_left + wide / 2, plot_height - 8}, line.x_title, {text_size, paper::ink, Anchor::middle});
  svg.text({plot_left - 6, plot_top + 10}, brief(y_high), at_end);
  svg.text({plot_left - 6, plot_top + high}, brief(y_low), at_end);
  svg.text({plot_left - 6, plot_top + high / 2}, fitted_text(line.y_title, plot_left - 8, text_size),
           {text_size, paper::ink, Anchor::end});
  return std::move(svg).done();
}

std::string histogram_svg(const picture::Image& image, const std::string& unit) {
  constexpr int bins = 120;
  if (std::none_of(image.pixels.begin(), image.pixels.end(), [](float v) { return std::isfinite(v); })) return {};
  picture::Levels range = picture::full_levels(image);
  if (!(range.high > range.low)) range.high = range.low + 1;
  const picture::Histogram counted = picture::histogram(image, range, bins);
  PlotLine steps{unit.empty() ? "value" : "value [" + unit + "]", "pixels", {}, {}};
  const double width = (range.high - range.low) / bins;
  for (int i = 0; i < bins; ++i) {
    const double begin = range.low + i * width;
    const auto count = static_cast<double>(counted.counts[static_cast<std::size_t>(i)]);
    steps.x.insert(steps.x.end(), {begin, begin + width});
    steps.y.insert(steps.y.end(), {count, count});
  }
  return line_plot_svg(steps);
}

std::string bars_svg(const std::vector<Bar>& bars, const std::string& title) {
  if (bars.empty()) return {};
  constexpr double step = 22, name_room = 170, value_room = 80;
  double longest = 0;
  for (const Bar& bar : bars) longest = std::max(longest, std::isfinite(bar.length) ? bar.length : 0);
  Svg svg({0, 0}, plot_width, step * static_cast<double>(bars.size()) + 8, title);
  double y = 4;
  for (const Bar& bar : bars) {
    const double part = longest > 0 && std::isfinite(bar.length) ? std::max(bar.length, 0.0) / longest : 0;
    const double length = part * (plot_width - name_room - value_room);
    svg.text({0, y + 15}, fitted_text(bar.name, name_room - 8, text_size), {text_size, paper::ink});
    svg.rectangle({name_room, y + 4}, std::max(length, 1.0), step - 8, 2, svg_fill(paper::busy));
    svg.text({name_room + length + 6, y + 15}, bar.value, {text_size, paper::second});
    y += step;
  }
  return std::move(svg).done();
}

}  // namespace tl::history
