// Directions of the unknowns that only move the whole object: no view shows them.
#pragma once

#include <vector>

#include "core/learn/problem.h"

namespace tl::learn {

// Orthonormal, in natural steps. In a parallel beam, shifts of all views across the axis that follow the cosine or the
// sine of their angles, and a common shift of all views along the axis, show the same object elsewhere. Empty where no
// list of shifts is learned, or the beam is another.
Result<std::vector<Vector>> object_motions(Problem& problem);

}  // namespace tl::learn
