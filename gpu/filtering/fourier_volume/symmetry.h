// Point groups of rotations, by the names that single-particle programs use.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/vec3.h"

namespace tl::ops {

// A rotation matrix by rows.
using Rotation = std::array<double, 9>;
Vec3 rotated(const Rotation& r, Vec3 v);
Rotation after(const Rotation& second, const Rotation& first);  // their product

// All rotations of a group, the identity first: C n (n of them: 1 to 360), D n (2 n), T (12), O (24), I (60). The
// n-fold axis of C and D is z, one twofold axis of D is x. T, O and I have axes along x, y and z (twofold; fourfold for
// O) and threefold ones along the diagonals of the cube; a fivefold axis of I lies in the plane of y and z, along (0,
// 1, 1.618) (J. B. Heymann et al., J. Struct. Biol. 151, 196 (2005); I is their I1). Capitals do not count. Errors:
// invalid for other names.
Result<std::vector<Rotation>> symmetry_group(const std::string& name);

}  // namespace tl::ops
