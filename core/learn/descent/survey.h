// Survey: the objective over the reach of single positions on coarse data: where to begin, and rivals.
#pragma once

#include "core/learn/problem.h"

namespace tl::learn {

struct SurveyFinding {
  bool made = false;
  std::vector<Vector> optima;  // refined, best first; the others are rivals nearly as good
  // Of the surveyed unknown: the loss over its reach.
  std::size_t unknown = 0;
  Vector z, loss;
};

// Surveys the first single number that has a reach while the others keep their start; then descends from what it found,
// all of up to eight numbers together, on the same coarse data. Nothing is made where no target has
// one, where the data are too small to be coarser, or where the objective refuses coarse data.
Result<SurveyFinding> survey(Problem& problem);

}  // namespace tl::learn
