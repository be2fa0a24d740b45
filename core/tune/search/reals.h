// Reals: a landscape as a function on the unit cube, for optimisers of real variables.
#pragma once

#include <vector>

#include "core/tune/search/run.h"

namespace tl::tune {

using RealPoint = std::vector<double>;

// Value i of n of a parameter stands at the cell centre (2 i - 1) / (2 n), i = 1 ... n; a point has the values whose
// centres are nearest, also from outside the cube.
int64_t cell_at(const Landscape& landscape, const RealPoint& x);
RealPoint centre_of(const Landscape& landscape, int64_t cell);
// One step for all variables: the landscape's own, else that of the parameter with most values.
double step_of(const Landscape& landscape);
// Uniform in the unit cube.
RealPoint random_point(Run& run);

enum class LocalMethod {
  cobyla,         // linear models of the function (Powell 1994)
  direction_set,  // lines along changing directions (Brent 1973, after Powell 1964)
  slsqp,          // quadratic models from differences by one step (Kraft 1994)
};

struct RealMinimum {
  RealPoint x;
  double score = failed_for_arithmetic;
};

enum class Domain {
  cube,   // the unit cube
  space,  // all reals: outside of the cube are the values at its border
};

// The best point that the method finds from `x`, by NLopt. Throws what `run` throws.
RealMinimum minimise_locally(Run& run, const RealPoint& x, LocalMethod method, Domain domain);

}  // namespace tl::tune
