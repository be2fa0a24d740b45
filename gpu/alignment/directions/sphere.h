// Directions that are spread evenly over the sphere, and regions around such directions.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/vec3.h"

namespace tl::ops {

double angle_between(Vec3 a, Vec3 b);  // of unit vectors [rad]

// The corners of an icosahedron whose edges are divided into `parts`, on the unit sphere: 10 parts^2 + 2 directions,
// whose neighbours are 63/parts (at the corners) to 72/parts degrees apart. Those of `parts` are among those of a
// multiple of it.
std::vector<Vec3> icosahedral_directions(int64_t parts);

// The index of the direction with the smallest angle to `to`; the first of equal ones.
int64_t nearest_direction(const std::vector<Vec3>& all, Vec3 to);

// Parts of the sphere, each around a centre: what lies closer to it than to the others.
class SphereRegions {
 public:
  // 6: along the axes; 12 or 42: icosahedral_directions(1) or (2). Programming error: other numbers.
  explicit SphereRegions(int64_t count);

  [[nodiscard]] int64_t count() const { return static_cast<int64_t>(centres_.size()); }
  [[nodiscard]] const std::vector<Vec3>& centres() const { return centres_; }
  [[nodiscard]] int64_t of(Vec3 direction) const { return nearest_direction(centres_, direction); }
  // The same region, or one that shares a border with it.
  [[nodiscard]] bool are_near(int64_t a, int64_t b) const;

 private:
  std::vector<Vec3> centres_;
  double reach_ = 0;  // largest angle between centres of neighbours [rad]
};

}  // namespace tl::ops
