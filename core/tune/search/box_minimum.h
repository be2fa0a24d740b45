// box_minimum: a local minimum of a cheap function in a box, without gradients.
#pragma once

#include <functional>
#include <vector>

namespace tl::tune {

struct BoxMinimum {
  std::vector<double> x;
  double value = 0;
};

// By NLopt's subplex method (Rowan 1990) from `start`, with first steps of `step` times each range, at most
// `most_calls` calls. `low` and `high` bound each variable. Values that are not finite count as very large. What
// `function` throws passes through.
BoxMinimum box_minimum(const std::function<double(const std::vector<double>&)>& function, std::vector<double> start,
                       const std::vector<double>& low, const std::vector<double>& high, double step, int most_calls);

}  // namespace tl::tune
