// Fits a rotation axis and its tilt to axis positions at several heights, by Theil-Sen slopes, then Huber's estimate.
#include "gpu/axis/line.h"

#include <algorithm>
#include <cmath>

#include "gpu/axis/curve.h"

namespace tl::ops {
namespace {

constexpr double huber = 1.345;      // Huber's constant [standard deviations]; 95 % efficient for normal values
constexpr double outlier = 4;        // standard deviations
constexpr double min_sigma = 0.005;  // [px] no finder resolves less
constexpr int rounds = 30;

struct Line {
  double axis = 0, slope = 0;
  [[nodiscard]] double residual(const AxisAtHeight& p) const { return p.axis - axis - slope * p.height; }
};

Line theil_sen(const std::vector<AxisAtHeight>& points) {
  std::vector<double> slopes, levels;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (points[i].height != points[j].height)
        slopes.push_back((points[i].axis - points[j].axis) / (points[i].height - points[j].height));
  Line line;
  line.slope = slopes.empty() ? 0 : median(slopes);
  for (const AxisAtHeight& p : points) levels.push_back(p.axis - line.slope * p.height);
  line.axis = median(levels);
  return line;
}

double scatter(const Line& line, const std::vector<AxisAtHeight>& points) {
  std::vector<double> sizes, own;
  for (const AxisAtHeight& p : points) {
    sizes.push_back(std::abs(line.residual(p)));
    own.push_back(p.sigma);
  }
  return std::max({1.4826 * median(sizes), median(own), min_sigma});
}

struct Fit {
  Line line;
  double axis_sigma = 0, slope_sigma = 0;
};

// Weighted least squares; heights are centred so that level and slope are uncorrelated.
Fit weighted(const std::vector<AxisAtHeight>& points, const std::vector<double>& weights, double sigma) {
  double sum = 0, height = 0, axis = 0, hh = 0, ha = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum += weights[i];
    height += weights[i] * points[i].height;
    axis += weights[i] * points[i].axis;
  }
  height /= sum;
  axis /= sum;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double h = points[i].height - height;
    hh += weights[i] * h * h;
    ha += weights[i] * h * (points[i].axis - axis);
  }
  Fit f;
  f.line.slope = hh > 0 ? ha / hh : 0;
  f.line.axis = axis - f.line.slope * height;
  f.slope_sigma = hh > 0 ? sigma / std::sqrt(hh) : 0;
  f.axis_sigma = std::sqrt(sigma * sigma / sum + height * height * f.slope_sigma * f.slope_sigma);
  return f;
}

std::string heights_text(const std::vector<double>& heights) {
  std::string text;
  for (const double h : heights) text += (text.empty() ? "" : ", ") + two_decimals(h);
  return text;
}

}  // namespace

AxisLine fit_axis_line(const std::vector<AxisAtHeight>& heights) {
  AxisLine out;
  out.used.assign(heights.size(), false);
  std::vector<AxisAtHeight> points;
  std::size_t measured = 0, railed = 0;
  for (const AxisAtHeight& h : heights) {
    measured += h.verdict != AxisVerdict::flat ? 1 : 0;
    railed += h.verdict == AxisVerdict::railed ? 1 : 0;
    if (h.verdict == AxisVerdict::resolved) points.push_back(h);
  }
  if (measured == 0) {
    out.explanation = "Nothing but noise at all heights: no axis can be found.";
    return out;
  }
  if (points.empty()) {
    out.verdict = 2 * railed > measured ? AxisVerdict::railed : AxisVerdict::ambiguous;
    out.explanation = "At none of the heights was the axis clear.";
    return out;
  }
  Fit fit{theil_sen(points), 0, 0};
  const double sigma = scatter(fit.line, points);
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> weights;
    for (const AxisAtHeight& p : points) {
      const double r = std::abs(fit.line.residual(p)) / sigma;
      weights.push_back(r > outlier ? 0 : r > huber ? huber / r : 1);
    }
    fit = weighted(points, weights, sigma);
  }
  std::vector<double> out_of_line;
  std::size_t used = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (heights[i].verdict != AxisVerdict::resolved) continue;
    out.used[i] = std::abs(fit.line.residual(heights[i])) <= outlier * sigma;
    used += out.used[i] ? 1 : 0;
    if (!out.used[i]) out_of_line.push_back(heights[i].height);
  }
  out.axis = fit.line.axis;
  out.slope = fit.line.slope;
  out.axis_sigma = fit.axis_sigma;
  out.slope_sigma = fit.slope_sigma;
  out.verdict = 2 * railed > measured               ? AxisVerdict::railed
                : used >= 3 && 2 * used >= measured ? AxisVerdict::resolved
                                                    : AxisVerdict::ambiguous;
  out.explanation = "A line through " + std::to_string(used) + " of " + std::to_string(heights.size()) +
                    " heights, scatter " + two_decimals(sigma) + " px.";
  if (!out_of_line.empty())
    out.explanation +=
        " Left out as outliers: the heights " + heights_text(out_of_line) + " px from the detector centre.";
  if (out.verdict != AxisVerdict::resolved)
    out.explanation += " Too few heights agree: use more of them, more rows each, or another method.";
  return out;
}

}  // namespace tl::ops
