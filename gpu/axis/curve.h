// Analysis of score curves over candidate positions (optimum, rivals, verdict), and combination of rows.
#pragma once

#include <vector>

#include "gpu/axis/axis_result.h"

namespace tl::ops {

struct ScoreCurveResult {
  std::size_t best = 0;  // index of the lowest score
  AxisVerdict verdict = AxisVerdict::flat;
  double rival = 0;  // position of the rival if the verdict is ambiguous
};

// Lower scores are better. `axis` ascends in equal steps. `difference`: mean square of the residual at each position,
// if scores are relative to another quantity; a rival has at most ten times the residual of the best position.
ScoreCurveResult judge_score_curve(const std::vector<double>& axis, const std::vector<double>& score,
                                   double rival_share, const std::vector<double>& difference = {});

// Increases the uncertainty of an ambiguous result by the spread of its possible values: the rms distance of the
// candidates (the value itself, `others`, and optima of the curve at least half as deep as the best one), and the half
// width of the curve about the value at half its depth. Other verdicts are not changed.
void widen_ambiguous(AxisResult& result, const std::vector<double>& others = {});

// Position of the minimum of a parabola fitted to the values (least squares), clamped to the given points.
double parabola_minimum(const std::vector<double>& x, const std::vector<double>& y);

struct RowValue {
  double axis, sigma;
};
// Median over rows. Sigma is the larger of the scatter of the rows (three or more) and their own sigmas.
RowValue combine_rows(const std::vector<RowValue>& rows);

double median(std::vector<double> values);

// "12.34" with two decimals, for explanations.
std::string two_decimals(double value);
// The sentence that explains a verdict.
std::string verdict_sentence(const ScoreCurveResult& finding, const AxisResult& result);

}  // namespace tl::ops
