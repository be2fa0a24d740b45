// What every finder of the rotation axis is given and gives back: a value with uncertainty, verdict and evidence.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/cancel.h"

namespace tl::ops {

// resolved: one clear optimum inside the search range. railed: the optimum lies at the end of the range (widen it).
// ambiguous: a second optimum of about the same strength, or too little evidence to tell. flat: nothing to be seen.
enum class AxisVerdict { resolved, railed, ambiguous, flat };

// made: a result counts as resolved only where its assumptions hold and opposite views agree, see axis_checks.h.
// left_out: what the finder says of itself.
enum class AxisChecking { made, left_out };

struct AxisSearch {
  double centre = 0;  // middle of the search range [px from the detector centre, along +u]
  double reach = 0;   // the range is centre +- reach [px]; 0 = a quarter of the detector's width
  // Another optimum counts as a rival when it reaches this share of the depth of the best one (against the median of
  // the curve), and the curve between the two rises by 5 % of that depth.
  double rival_share = 0.8;
  AxisChecking checking = AxisChecking::made;
  CancelToken cancel;
};

struct AxisResult {
  double axis = 0;         // [px from the detector centre, along +u]; meaningful unless flat
  double uncertainty = 0;  // one sigma [px], 0 where it could not be estimated
  AxisVerdict verdict = AxisVerdict::flat;
  std::vector<double> curve_axis, curve_score;  // evidence: candidate [px] and its score (see each finder)
  std::string explanation;                      // how it was found, in sentences
};

// All finders take absorption projections [view, row, col] (float32 or float64) of a parallel beam (those of opposite
// rays: a cone beam) with a gantry angle
// [rad] per view, in any order. Rows are combined by the median of their results near a common optimum. Pixels that
// are not finite are bridged along their row and counted in the explanation; views without any finite pixel are left
// out. Failure{invalid}: more than a fifth of the pixels not finite, too few views, angles that the method cannot use.

// Up to `count` detector rows, spread evenly over `rows`: those that nodes read when the user names none.
std::vector<int64_t> axis_rows(int64_t rows, int64_t count);

}  // namespace tl::ops
