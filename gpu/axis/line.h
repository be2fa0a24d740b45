// Fits a rotation axis and its tilt to axis positions at several heights: a robust line, with outliers named.
#pragma once

#include <string>
#include <vector>

#include "gpu/axis/axis_result.h"

namespace tl::ops {

// The axis found at one height.
struct AxisAtHeight {
  double height = 0;  // [px above the detector centre, along +v]
  double axis = 0;    // [px]
  double sigma = 0;   // [px], 0 = unknown
  AxisVerdict verdict = AxisVerdict::flat;
};

struct AxisLine {
  double axis = 0, slope = 0;              // [px] at the detector centre, and [px per px] towards +u going up
  double axis_sigma = 0, slope_sigma = 0;  // one sigma
  AxisVerdict verdict = AxisVerdict::flat;
  std::vector<bool> used;  // per height: whether the axis is resolved there, and not an outlier
  std::string explanation;
};

// Line through the heights whose verdict is resolved: initially the median of the slopes between all pairs (Theil,
// 1950; Sen, 1968), then Huber's estimate (1.345 sigma) by reweighting. sigma is the robust scatter about the line, or
// the median sigma of the heights if larger. A height more than four sigma off is an outlier: it is excluded and named.
// Verdicts: flat if nothing was found at any height; ambiguous with fewer than three heights left, or fewer than half
// of those with a result; railed if most heights were.
AxisLine fit_axis_line(const std::vector<AxisAtHeight>& heights);

}  // namespace tl::ops
