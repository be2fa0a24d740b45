// Scatter of learned values due to noise, from repeated runs with added noise: used if arrays have too many unknowns
// for the sandwich.
#pragma once

#include <functional>

#include "core/learn/descent/descent.h"
#include "core/learn/problem.h"

namespace tl::learn {

struct Scatter {
  static constexpr int64_t draws = 8;  // number of draws: a sigma is then known to a quarter of its value
  static constexpr double aside = 1;   // natural steps

  Vector sigma;      // one sigma of every unknown [natural steps]; empty: not computed
  Vector clearness;  // per target: the learned change relative to that by noise, both as measured by the objective
};

// Descents from a point at some distance from the found values, on data to which similar noise is added once more: per
// unknown the root mean square of the results (B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993,
// chapter 6). Single numbers start `aside` natural steps away, on alternating sides: one for which an array can
// compensate stays there. `from` makes the task of a descent without its functions; if `keep_going` returns false,
// there is no scatter.
Result<Scatter> bootstrap_scatter(Problem& problem, const Vector& found,
                                  const std::function<DescentTask(const Vector& start)>& from,
                                  const std::function<Result<bool>()>& keep_going);

}  // namespace tl::learn
