// Larger of two deviations, where NaN counts as larger than all numbers.
#pragma once

namespace tl::verify {

// std::max() keeps its first argument against NaN, so that an operator that returns NaN would pass a check. Here NaN is
// kept, and NaN <= bound is false.
inline double larger_deviation(double worst, double found) {
  return !(worst >= found) && worst == worst ? found : worst;
}

}  // namespace tl::verify
