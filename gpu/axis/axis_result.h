// Input and output of all finders of the rotation axis: search range, value, uncertainty, verdict, evidence.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

// resolved: one clear optimum inside the search range. railed: the
// optimum lies at the end of the range (widen it). ambiguous: a second
// optimum of about the same strength, or insufficient evidence. flat: no
// signal.
enum class AxisVerdict { resolved, railed, ambiguous, flat };

// on: a result counts as resolved only if its assumptions hold and opposite views agree, see checks.h. off: only the
// finder's own verdict.
enum class AxisChecking { on, off };

struct AxisSearch {
  double centre = 0;  // middle of the search range [px from the detector centre, along +u]
  double reach = 0;   // the range is centre +- reach [px]; 0 = a quarter of the detector's width
  // Another optimum is a rival if its depth is at least this fraction of the depth of the best one (both below the
  // median of the curve), and the curve between them rises by 5 % of that depth.
  double rival_share = 0.8;
  AxisChecking checking = AxisChecking::on;
  CancelToken cancel;
};

struct AxisResult {
  double axis = 0;         // [px from the detector centre, along +u]; meaningful unless flat
  double uncertainty = 0;  // one sigma [px], 0 if it could not be estimated
  AxisVerdict verdict = AxisVerdict::flat;
  std::vector<double> curve_axis, curve_score;  // the search curve: candidate [px] and its score (see each finder)
  std::string explanation;                      // how the axis was found, in sentences
};

// All finders use absorption projections [view, row, col] (float32 or float64) of a parallel beam (conjugate rays: cone
// beam) with a gantry angle [rad] per view, in any order. Rows are combined by the median of their results near a
// common optimum. Pixels that are not finite are interpolated along their row and counted in the explanation; views
// without any finite pixel are dropped. Failure{invalid}: more than a fifth of the pixels not finite, too few views,
// angles that the method cannot use.

// Up to `count` detector rows, spread evenly over `rows`: the default rows of nodes.
std::vector<int64_t> axis_rows(int64_t rows, int64_t count);

}  // namespace tl::ops
