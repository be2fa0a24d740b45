// Searches the overlap of two scans, or of opposite views: scores over candidates, judged as by the axis finders.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/axis/curve.h"
#include "gpu/operator/reduce.h"
#include "gpu/stitching/stitching.h"

namespace tl::ops {
namespace {

constexpr int64_t coarse_cols = 256, max_views = 180;
constexpr int64_t parts_of_views = 4;  // their scatter gives the uncertainty
constexpr double no_contrast = 1e-3;   // fraction of the total variance below which regions cannot be compared

double variance_of(const at::Tensor& x) { return x.numel() == 0 ? 0 : moments(x.contiguous()).variance; }

// Squared difference divided by the sum of the variances; 1 if there is too little contrast.
double mismatch(const at::Tensor& a, const at::Tensor& b, double variance) {
  const double sum = variance_of(a) + variance_of(b);
  if (!(sum > 2 * no_contrast * variance)) return 1;
  return total_of_squares((a - b).contiguous()) / (static_cast<double>(a.numel()) * sum);
}

at::Tensor every(const at::Tensor& x, int64_t most) {
  return x.slice(0, 0, x.size(0), std::max<int64_t>(1, x.size(0) / most)).to(at::kDouble).contiguous();
}

// Position of the lowest score, refined by a parabola through it and its neighbours.
double lowest(const std::vector<double>& at_position, const std::vector<double>& score) {
  const auto best = std::min_element(score.begin(), score.end()) - score.begin();
  const auto count = static_cast<std::ptrdiff_t>(score.size());
  if (count < 3) return at_position[static_cast<std::size_t>(best)];
  const auto from = std::clamp<std::ptrdiff_t>(best - 1, 0, count - 3);
  return parabola_minimum({at_position.begin() + from, at_position.begin() + from + 3},
                          {score.begin() + from, score.begin() + from + 3});
}

// Views and their opposite views [view, row, col]; the shift is m = 2 axis in columns.
struct Opposites {
  at::Tensor view, opposite;
};

double shift_score(const Opposites& o, int64_t shift, double variance) {
  const int64_t cols = o.view.size(2), common = cols - std::abs(shift), first = std::max<int64_t>(0, shift);
  // Column c of a view corresponds to column (cols - 1 + shift) - c of its opposite: the same column range, mirrored.
  const at::Tensor a = o.view.narrow(2, first, common), b = o.opposite.narrow(2, first, common).flip({2});
  return mismatch(a, b, variance);
}

std::vector<double> shift_scores(const Opposites& o, int64_t low, int64_t high, const CancelToken& cancel) {
  const double variance = variance_of(o.view);
  std::vector<double> score;
  for (int64_t m = low; m <= high; ++m) {
    cancel.check();
    score.push_back(shift_score(o, m, variance));
  }
  return score;
}

std::vector<double> halves(int64_t low, int64_t high, double scale) {
  std::vector<double> axis;
  for (int64_t m = low; m <= high; ++m) axis.push_back(0.5 * scale * static_cast<double>(m));
  return axis;
}

double fine_axis(const Opposites& o, double near, int64_t around, const CancelToken& cancel) {
  const int64_t most = o.view.size(2) - 2,
                centre = std::clamp<int64_t>(std::llround(2 * near), -most + around, most - around);
  return lowest(halves(centre - around, centre + around, 1), shift_scores(o, centre - around, centre + around, cancel));
}

double scatter(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) mean += v / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / (n * (n - 1)));
}

at::Tensor part(const at::Tensor& x, int64_t i) { return x.slice(0, i, x.size(0), parts_of_views); }

}  // namespace

AxisResult find_half_turn_overlap(const at::Tensor& projections, const std::vector<double>& angles,
                                  const AxisSearch& search) {
  const HalfTurnPlan plan = plan_half_turn(angles, projections.size(2), 0).or_throw();
  const auto index = [](const std::vector<int64_t>& list) { return at::tensor(list, at::kLong); };
  const at::Tensor share = at::tensor(plan.share, at::kDouble).view({-1, 1, 1});
  const at::Tensor x = projections.detach().to(at::kDouble).nan_to_num(0);
  const at::Tensor before = x.index_select(0, index(plan.before)), after = x.index_select(0, index(plan.after));
  const Opposites all{every(x.index_select(0, index(plan.views)), max_views),
                      every(before + share * (after - before), max_views)};
  const int64_t cols = projections.size(2), factor = (cols + coarse_cols - 1) / coarse_cols, w = cols / factor;
  const auto joined = [&](const at::Tensor& t) {
    // Columns that do not fill a bin are dropped equally on both sides, so that the centre is unchanged.
    return t.narrow(2, (cols - w * factor) / 2, w * factor)
        .reshape({t.size(0), t.size(1), w, factor})
        .mean(at::IntArrayRef{3})
        .contiguous();
  };
  const Opposites coarse{joined(all.view), joined(all.opposite)};
  const auto scale = static_cast<double>(factor);
  const int64_t most = w - std::min(w, std::max<int64_t>(8, w / 8));
  const double reach = search.reach > 0 ? search.reach : static_cast<double>(cols);
  const auto limit = [&](double axis) { return std::clamp<int64_t>(std::llround(2 * axis / scale), -most, most); };
  const int64_t low = limit(search.centre - reach), high = limit(search.centre + reach);
  AxisResult result;
  if (!(variance_of(coarse.view) > 0) || high - low < 4) {
    result.explanation =
        variance_of(coarse.view) > 0 ? "The search range is too narrow." : "The views have no contrast.";
    return result;
  }
  result.curve_axis = halves(low, high, scale);
  result.curve_score = shift_scores(coarse, low, high, search.cancel);
  const ScoreCurveResult found = judge_score_curve(result.curve_axis, result.curve_score, search.rival_share);
  result.verdict = found.verdict;
  result.axis = result.curve_axis[found.best];
  if (found.verdict == AxisVerdict::resolved || found.verdict == AxisVerdict::ambiguous) {
    const int64_t around = std::min<int64_t>(factor + 2, (cols - 2) / 2);
    const double near = result.axis;
    result.axis = fine_axis(all, near, around, search.cancel);
    std::vector<double> values;
    for (int64_t i = 0; i < parts_of_views && all.view.size(0) >= 2 * parts_of_views; ++i)
      values.push_back(fine_axis({part(all.view, i), part(all.opposite, i)}, near, around, search.cancel));
    result.uncertainty = values.empty() ? 0 : std::max(scatter(values), 0.01);
  }
  result.explanation =
      "Least difference between opposite views where both see the object. " + verdict_sentence(found, result);
  return result;
}

AxisResult find_row_overlap(const at::Tensor& upper, const at::Tensor& lower, const AxisSearch& search) {
  if (upper.dim() != 3 || lower.dim() != 3 || upper.size(0) != lower.size(0) || upper.size(2) != lower.size(2))
    throw Failure(invalid("the two scans have different views or columns", "overlap of rows"));
  constexpr int64_t few_views = 24;
  const at::Tensor a = every(upper.detach(), few_views).nan_to_num(0),
                   b = every(lower.detach(), few_views).nan_to_num(0);
  const int64_t most = std::min(a.size(1), b.size(1));
  const double reach = search.reach > 0 ? search.reach : static_cast<double>(2 * most);
  const auto limit = [&](double rows) { return std::clamp<int64_t>(std::llround(rows), 2, most); };
  AxisResult result;
  const double variance = variance_of(a);
  if (most < 6 || !(variance > 0)) {
    result.explanation = most < 6 ? "The scans have too few rows." : "The views have no contrast.";
    return result;
  }
  const int64_t low = limit(search.centre - reach), high = limit(search.centre + reach);
  const auto scores = [&](const at::Tensor& above, const at::Tensor& below) {
    std::vector<double> score;
    for (int64_t k = low; k <= high; ++k) {
      search.cancel.check();
      score.push_back(mismatch(above.narrow(1, above.size(1) - k, k), below.narrow(1, 0, k), variance));
    }
    return score;
  };
  for (int64_t k = low; k <= high; ++k) result.curve_axis.push_back(static_cast<double>(k));
  result.curve_score = scores(a, b);
  const ScoreCurveResult found = judge_score_curve(result.curve_axis, result.curve_score, search.rival_share);
  result.verdict = found.verdict;
  result.axis = lowest(result.curve_axis, result.curve_score);
  std::vector<double> values;
  for (int64_t i = 0; i < parts_of_views && a.size(0) >= 2 * parts_of_views; ++i)
    values.push_back(lowest(result.curve_axis, scores(part(a, i), part(b, i))));
  result.uncertainty = values.empty() ? 0 : std::max(scatter(values), 0.01);
  result.explanation = "Least difference between the rows that both scans see. " + verdict_sentence(found, result);
  return result;
}

}  // namespace tl::ops
