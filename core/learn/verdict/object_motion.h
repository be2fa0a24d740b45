// Directions of the unknowns that only move the whole object: no view shows them.
#pragma once

#include <vector>

#include "core/learn/problem.h"

namespace tl::learn {

// Orthonormal, in natural steps: what translations, rotations and a scale of the object do to the views of any scan, as
// far as lists of shifts describe it (gpu/alignment/views/view_motion.h). In a parallel beam: shifts across the axis
// that follow the cosine or the sine of the angles, and a common shift along the axis. Empty where no list of shifts is
// learned.
Result<std::vector<Vector>> object_motions(Problem& problem);

}  // namespace tl::learn
