// Divides the faces of an icosahedron.
#include "gpu/alignment/directions/sphere.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/units.h"

namespace tl::ops {
namespace {

Vec3 normalised(Vec3 v) { return (1 / norm(v)) * v; }

std::vector<Vec3> icosahedron_corners() {
  const double golden = 0.5 * (1 + std::sqrt(5.0));
  std::vector<Vec3> corners;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-golden, golden})
      for (const Vec3 v : {Vec3{0, a, b}, Vec3{a, b, 0}, Vec3{b, 0, a}}) corners.push_back(normalised(v));
  return corners;
}

// Triples of corners of which each two share an edge.
std::vector<std::array<Vec3, 3>> icosahedron_faces() {
  const std::vector<Vec3> c = icosahedron_corners();
  const auto share_edge = [](Vec3 a, Vec3 b) { return dot(a, b) > 0.4; };  // cos of the edge: 1 / sqrt(5) = 0.447
  std::vector<std::array<Vec3, 3>> faces;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = i + 1; j < c.size(); ++j)
      for (std::size_t k = j + 1; k < c.size(); ++k)
        if (share_edge(c[i], c[j]) && share_edge(c[j], c[k]) && share_edge(c[i], c[k]))
          faces.push_back({c[i], c[j], c[k]});
  return faces;
}

}  // namespace

double angle_between(Vec3 a, Vec3 b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

std::vector<Vec3> icosahedral_directions(int64_t parts) {
  TL_CHECK(parts >= 1, "an edge has at least one part");
  std::vector<Vec3> all;
  std::set<std::array<int64_t, 3>> known;  // points on edges belong to two faces
  for (const auto& [a, b, c] : icosahedron_faces())
    for (int64_t i = 0; i <= parts; ++i)
      for (int64_t j = 0; i + j <= parts; ++j) {
        const Vec3 d = normalised(static_cast<double>(i) * a + static_cast<double>(j) * b +
                                  static_cast<double>(parts - i - j) * c);
        constexpr double resolution = 1e7;
        const auto key = [](double x) { return static_cast<int64_t>(std::llround(x * resolution)); };
        if (known.insert({key(d.x), key(d.y), key(d.z)}).second) all.push_back(d);
      }
  TL_CHECK(static_cast<int64_t>(all.size()) == 10 * parts * parts + 2, "every point is there once");
  return all;
}

int64_t nearest_direction(const std::vector<Vec3>& all, Vec3 to) {
  const auto nearer = [to](Vec3 a, Vec3 b) { return dot(a, to) < dot(b, to); };
  return std::max_element(all.begin(), all.end(), nearer) - all.begin();
}

SphereRegions::SphereRegions(int64_t count) {
  TL_CHECK(count == 6 || count == 12 || count == 42, "a number of regions that there are");
  if (count == 6) {
    centres_ = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    reach_ = 0.5 * pi;
  } else {
    centres_ = icosahedral_directions(count == 12 ? 1 : 2);
    reach_ = pi / 5 * (count == 12 ? 2 : 1);  // no less than 63.4 degrees, and 36 degrees
  }
}

bool SphereRegions::are_near(int64_t a, int64_t b) const {
  constexpr double rounding = 1e-6;
  return angle_between(centres_.at(static_cast<std::size_t>(a)), centres_.at(static_cast<std::size_t>(b))) <
         reach_ + rounding;
}

}  // namespace tl::ops
