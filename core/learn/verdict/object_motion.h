// Directions of the unknowns that change the views like a motion of the whole object: no data determine them.
#pragma once

#include <string>
#include <vector>

#include "core/learn/problem.h"

namespace tl::learn {

struct ObjectMotion {
  std::string name;  // "a change of size"
  Vector direction;  // of unit length, natural steps
};

// Translations, rotations and the change of size of the object that the unknowns reproduce in every view: the moved
// object gives the same views in a scan whose unknowns are changed along the direction. In any geometry: images of
// points in the field of view are displaced by a small motion, and by a small change of each unknown; a motion counts
// if the least-squares fit of the latter to the former leaves less than 1e-4 of the squares. If unknowns are equivalent
// to others, the shortest direction. In a parallel beam, shifts of all views across the axis by the cosine or sine of
// their angles, and a common shift along it. Empty if no geometry is learned.
Result<std::vector<ObjectMotion>> object_motions(Problem& problem, const Vector& z);

// An orthonormal basis of their directions.
std::vector<Vector> orthonormal_directions(const std::vector<ObjectMotion>& motions);

// Whether an unknown changes along a motion by more than a hundredth of the largest change.
bool moves_along(const ObjectMotion& motion, std::size_t unknown);

}  // namespace tl::learn
