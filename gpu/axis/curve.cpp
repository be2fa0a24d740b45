// Finds the optimum, its rivals and the verdict in the score curve of an axis finder, and combines the results of
// several rows.
#include "gpu/axis/curve.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"

namespace tl::ops {
namespace {
// Fraction of the depth by which the curve must rise between two optima to separate them.
constexpr double barrier = 0.05;
constexpr double rival_difference = 10;
// Fraction of the depth from which an optimum is a candidate for an ambiguous axis.
constexpr double candidate_depth = 0.5;

// Optima at least half as deep as the best one, each the lowest of a connected part of the curve below that level.
struct CurveCandidates {
  std::vector<double> optima;
  double half_width = 0;  // half width of the part around the best optimum
};
CurveCandidates candidates_of(const std::vector<double>& axis, const std::vector<double>& score) {
  CurveCandidates out;
  if (axis.empty()) return out;
  const double lowest = *std::min_element(score.begin(), score.end());
  const double level = lowest + candidate_depth * (median(score) - lowest);
  for (std::size_t i = 0; i < axis.size();) {
    std::size_t end = i, best = i;
    for (; end < axis.size() && score[end] <= level; ++end)
      if (score[end] < score[best]) best = end;
    if (end > i && level > lowest) {
      out.optima.push_back(axis[best]);
      if (score[best] == lowest) out.half_width = 0.5 * (axis[end - 1] - axis[i]);
    }
    i = end + 1;
  }
  return out;
}
}  // namespace

double median(std::vector<double> v) {
  TL_CHECK(!v.empty(), "median of nothing");
  std::sort(v.begin(), v.end());
  return 0.5 * (v[(v.size() - 1) / 2] + v[v.size() / 2]);
}

ScoreCurveResult judge_score_curve(const std::vector<double>& axis, const std::vector<double>& score,
                                   double rival_share, const std::vector<double>& difference) {
  TL_CHECK(!axis.empty() && axis.size() == score.size(), "a curve needs a score per candidate");
  ScoreCurveResult f;
  const std::size_t n = axis.size();
  f.best = static_cast<std::size_t>(std::min_element(score.begin(), score.end()) - score.begin());
  const double lowest = score[f.best];
  const double depth = median(score) - lowest;
  if (!(*std::max_element(score.begin(), score.end()) > lowest)) return f;  // flat
  f.verdict = AxisVerdict::railed;
  if (f.best == 0 || f.best == n - 1) return f;
  f.verdict = AxisVerdict::resolved;
  double rival_score = lowest + (1 - rival_share) * depth;
  for (std::size_t j = 0; j < n; ++j) {
    const bool lower_than_left = j == 0 || score[j] <= score[j - 1];
    const bool lower_than_right = j == n - 1 || score[j] <= score[j + 1];
    if (!difference.empty() && difference[j] > rival_difference * difference[f.best]) continue;
    if (j == f.best || !lower_than_left || !lower_than_right || score[j] > rival_score) continue;
    const auto from = score.begin() + static_cast<std::ptrdiff_t>(std::min(j, f.best));
    const auto to = score.begin() + static_cast<std::ptrdiff_t>(std::max(j, f.best));
    if (*std::max_element(from, to) < score[j] + barrier * depth) continue;
    f.verdict = AxisVerdict::ambiguous;
    f.rival = axis[j];
    rival_score = score[j];
  }
  return f;
}

void widen_ambiguous(AxisResult& r, const std::vector<double>& others) {
  if (r.verdict != AxisVerdict::ambiguous) return;
  const CurveCandidates own = candidates_of(r.curve_axis, r.curve_score);
  std::vector<double> all = own.optima;
  all.insert(all.end(), others.begin(), others.end());
  double squares = 0;
  for (const double a : all) squares += (a - r.axis) * (a - r.axis);
  const double spread = std::sqrt(squares / static_cast<double>(all.size() + 1));
  r.uncertainty = std::sqrt(r.uncertainty * r.uncertainty + spread * spread + own.half_width * own.half_width);
}

double parabola_minimum(const std::vector<double>& x, const std::vector<double>& y) {
  TL_CHECK(x.size() >= 3 && x.size() == y.size(), "a parabola needs three points");
  double mid = 0, mean = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mid += x[i] / static_cast<double>(x.size());
    mean += y[i] / static_cast<double>(x.size());
  }
  // For equally spaced points about `mid`, slope and curvature decouple (q is the square minus its mean).
  double s2 = 0, sxy = 0, sqq = 0, sqy = 0;
  for (const double v : x) s2 += (v - mid) * (v - mid);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = x[i] - mid, q = u * u - s2 / static_cast<double>(x.size());
    sxy += u * (y[i] - mean);
    sqq += q * q;
    sqy += q * (y[i] - mean);
  }
  const double slope = sxy / s2, curvature = sqy / sqq;
  if (!(curvature > 0)) return x[static_cast<std::size_t>(std::min_element(y.begin(), y.end()) - y.begin())];
  return std::clamp(mid - 0.5 * slope / curvature, x.front(), x.back());
}

RowValue combine_rows(const std::vector<RowValue>& rows) {
  std::vector<double> values, deviations;
  double own = 0;
  for (const RowValue& r : rows) {
    values.push_back(r.axis);
    own += 1 / std::max(r.sigma * r.sigma, 1e-300);
  }
  const double n = static_cast<double>(rows.size()), centre = median(values);
  // The median of normally distributed values scatters 1.25 times as much as their mean.
  double sigma = std::sqrt(1 / own) * (rows.size() > 2 ? 1.25 : 1.0);
  if (rows.size() > 2) {
    for (const double v : values) deviations.push_back(std::abs(v - centre));
    sigma = std::max(sigma, 1.25 * 1.4826 * median(deviations) / std::sqrt(n));
  }
  return {centre, sigma};
}

std::string two_decimals(double value) { return formatted("%.2f", value); }

std::string verdict_sentence(const ScoreCurveResult& f, const AxisResult& r) {
  switch (r.verdict) {
    case AxisVerdict::resolved: return "One clear optimum.";
    case AxisVerdict::railed:
      return "The best value lies at the end of the search range (" + two_decimals(r.curve_axis.front()) + " to " +
             two_decimals(r.curve_axis.back()) + " px) or beyond it: widen it.";
    case AxisVerdict::ambiguous:
      return "A second optimum of about the same strength lies at " + two_decimals(f.rival) +
             " px: narrow the search range.";
    case AxisVerdict::flat: break;
  }
  return "Nothing but noise in these rows: no axis can be found.";
}

}  // namespace tl::ops
