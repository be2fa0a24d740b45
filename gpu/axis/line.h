// From axis positions at several heights to one axis and its tilt: a robust straight line, outliers named.
#pragma once

#include <string>
#include <vector>

#include "gpu/axis/axis_result.h"

namespace tl::ops {

// The axis found at one height.
struct HeightAxis {
  double height = 0;  // [px above the detector centre, along +v]
  double axis = 0;    // [px]
  double sigma = 0;   // [px], 0 = not known
  AxisVerdict verdict = AxisVerdict::flat;
};

struct AxisLine {
  double axis = 0, slope = 0;              // [px] at the detector centre, and [px per px] towards +u going up
  double axis_sigma = 0, slope_sigma = 0;  // one sigma
  AxisVerdict verdict = AxisVerdict::flat;
  std::vector<bool> used;  // per height: not an outlier, and something was found there
  std::string explanation;
};

// Line through the heights whose verdict is resolved: median of the slopes between all pairs (Theil, 1950; Sen, 1968)
// to begin with, then Huber's estimate (1.345 sigma) by reweighting. sigma is the robust scatter about the line, or the
// heights' own median sigma where that is larger. A height more than four sigma off is an outlier: it is left out and
// named. Verdicts: flat when nothing was found at any height; ambiguous with fewer than three heights left, or fewer
// than half of those where something was found; railed when most heights were.
AxisLine fit_axis_line(const std::vector<HeightAxis>& heights);

}  // namespace tl::ops
