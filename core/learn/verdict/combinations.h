// Correlated parameters: the linear combinations that the data determine, and those that they do not determine.
#pragma once

#include <string>
#include <vector>

#include "core/learn/descent/symmetric.h"
#include "core/learn/problem.h"

namespace tl::learn {

// One sigma of the logarithm of a value on a logarithmic scale, or of a sum of such logarithms: beyond a factor of two
// the value counts as not known.
inline constexpr double widest_logarithm = 0.6931471805599453;

// `axes` of the curvature in natural steps, `determined` per axis, `covariance` in natural steps; `doubts` per axis,
// why no value of a combination along it can be trusted. Empty if no parameters are correlated.
std::vector<Combination> combinations(const Problem& problem, const Vector& z, const EigenSystem& axes,
                                      const std::vector<bool>& determined, const Matrix& covariance,
                                      const std::vector<std::string>& doubts);

// Standard deviation of an unknown if the other unknowns were known exactly; infinite for an unknown whose own
// uncertainty is unbounded, so that knowing the others would hardly help. In the unit of the covariance.
double sigma_given_others(const Matrix& covariance, std::size_t unknown);

}  // namespace tl::learn
