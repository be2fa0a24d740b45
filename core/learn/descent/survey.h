// Survey: a grid search on coarse data before the descent; finds the start, and other optima nearly as good.
#pragma once

#include "core/learn/problem.h"

namespace tl::learn {

struct SurveyFinding {
  bool made = false;
  std::vector<Vector> optima;  // refined minima, best first; all are nearly as good as the first
  // The unknown that was surveyed, its grid, and the loss at the grid points.
  std::size_t unknown = 0;
  Vector z, loss;
};

// Scans the first scalar target that has a `reach`, with all others at their start; then descends from each minimum on
// the same coarse data, over all unknowns if they are at most eight. Returns made = false if no target has a reach, the
// data are too small to be binned, or the objective refuses binned data.
Result<SurveyFinding> survey(Problem& problem);

}  // namespace tl::learn
