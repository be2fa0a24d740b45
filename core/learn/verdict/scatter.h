// Scatter: how far noise moves what was learned, from draws of it: where arrays have too many unknowns for the
// sandwich.
#pragma once

#include <functional>

#include "core/learn/descent/descent.h"
#include "core/learn/problem.h"

namespace tl::learn {

struct Scatter {
  static constexpr int64_t draws = 8;  // a sigma is known to a quarter of itself
  static constexpr double aside = 1;   // natural steps

  Vector sigma;      // one sigma of every unknown, natural steps; empty: not looked at
  Vector clearness;  // per target: what was learned over what noise makes of it, as the objective sees both
};

// Descents from what was found lead some distance off with noise like that of the data added once more: per unknown the
// root of the mean of the squares (B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 6).
// Single numbers start `aside` natural steps off, to alternating sides: one that an array makes up for stays there.
// `from` gives the task of a descent without its functions; if `keep_going` returns false, there is no scatter.
Result<Scatter> bootstrap_scatter(Problem& problem, const Vector& found,
                                  const std::function<DescentTask(const Vector& start)>& from,
                                  const std::function<Result<bool>()>& keep_going);

}  // namespace tl::learn
