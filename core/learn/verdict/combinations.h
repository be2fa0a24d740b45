// Correlated parameters: the combinations that are known, and those that no data of this kind can tell.
#pragma once

#include <vector>

#include "core/learn/descent/symmetric.h"
#include "core/learn/problem.h"

namespace tl::learn {

// `axes` of the curvature in natural steps, `determined` per axis, `covariance` in natural steps. Empty where every
// parameter stands for itself.
std::vector<Combination> combinations(const Problem& problem, const Vector& z, const Eigen& axes,
                                      const std::vector<bool>& determined, const Matrix& covariance);

}  // namespace tl::learn
