// The larger of two deviations, in which not a number is larger than all numbers.
#pragma once

namespace tl::verify {

// std::max() keeps its first argument against NaN, so that a law would pass an operator that answers NaN. Here NaN
// stays, and NaN <= bound is false.
inline double worse(double worst, double found) { return !(worst >= found) && worst == worst ? found : worst; }

}  // namespace tl::verify
