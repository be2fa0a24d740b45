// The geode: a layered shell filled with grains of several kinds, with cracks between them.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "gpu/simulate/phantom_library.h"

namespace tl::ops {
namespace {

using Axes = std::array<Vec3, 3>;

// All lengths in units of the geode's radius; values relative to those of its shell, about 0 to 1.3.
constexpr Vec3 shell_half{0.97, 0.84, 0.74};
constexpr double shell_turn = 0.45;   // [rad] about z
constexpr double matrix_value = 0.3;  // between the grains
constexpr double gap = 0.006;         // between neighbours

// Layers of the shell from outside: scale of its semi-axes, and the value added from there on.
struct Layer {
  double scale, value;
  Vec3 centre;
};
constexpr Layer layers[] = {{1, 0.6, {}},
                            {0.965, -0.25, {0.004, -0.003, 0.002}},
                            {0.94, 0.35, {0.005, -0.004, 0.003}},
                            {0.905, matrix_value - 0.7, {0.008, -0.005, 0.003}}};
const Layer& inner = layers[3];

Axes turned_axes(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {Vec3{c, s, 0}, Vec3{-s, c, 0}, Vec3{0, 0, 1}};
}

// A stream of random numbers.
class Draws {
 public:
  explicit Draws(uint64_t seed) : random_{seed, 0x67656f6465} {}
  double uniform() { return random_.uniform(next_++); }
  double between(double low, double high) { return low + (high - low) * uniform(); }
  Vec3 direction() {
    const double z = between(-1, 1), at = between(0, 2 * pi), r = std::sqrt(1 - z * z);
    return {r * std::cos(at), r * std::sin(at), z};
  }
  // Orthonormal, the first one given.
  Axes axes(Vec3 first) {
    const Vec3 other = cross(first, direction());
    const Vec3 second = (1 / norm(other)) * other;
    return {first, second, cross(first, second)};
  }
  Axes axes() { return axes(direction()); }

 private:
  Philox random_;
  uint64_t next_ = 0;
};

// Directions spread evenly over the sphere (a Fibonacci lattice).
std::vector<Vec3> even_directions(int count) {
  std::vector<Vec3> all;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, at = i * pi * (3 - std::sqrt(5.0)), r = std::sqrt(1 - z * z);
    all.push_back({r * std::cos(at), r * std::sin(at), z});
  }
  return all;
}

double reach(const Axes& axes, Vec3 half, Vec3 along) {
  return norm(Vec3{half.x * dot(axes[0], along), half.y * dot(axes[1], along), half.z * dot(axes[2], along)});
}

class Packing {
 public:
  Packing() {
    const Axes shell = turned_axes(shell_turn);
    for (const Vec3& u : even_directions(400))
      walls_.push_back({u, dot(inner.centre, u) + reach(shell, inner.scale * shell_half, u) - gap});
  }

  // Adds a flat crack through the matrix; false if it would leave the matrix or intersect another one.
  bool add_crack(const Primitive& crack) {
    for (const Wall& w : walls_)
      if (dot(crack.centre, w.along) + reach(crack.axes, crack.half, w.along) > w.extent) return false;
    std::vector<Vec3> points = {crack.centre};
    for (int ring = 1; ring <= 12; ++ring)
      for (int k = 0; k < 6 * ring; ++k) {
        const double r = ring / 12.0, at = k * pi / (3 * ring);
        points.push_back(crack.centre + (r * std::cos(at) * crack.half.y) * crack.axes[1] +
                         (r * std::sin(at) * crack.half.z) * crack.axes[2]);
      }
    if (nearest(points) < 2 * crack_clearance) return false;
    crack_points_.insert(crack_points_.end(), points.begin(), points.end());
    return true;
  }
  bool add_ball(Vec3 centre, double radius) {
    for (const auto& [other, size] : balls_)
      if (norm(centre - other) < radius + size + gap) return false;
    for (const Wall& w : walls_)
      if (dot(centre, w.along) + radius > w.extent) return false;
    for (const Vec3& p : crack_points_)
      if (norm(centre - p) < radius + crack_clearance) return false;
    balls_.emplace_back(centre, radius);
    return true;
  }
  // Half the thickness of a crack, and the distance of other bodies from the points that sample it.
  static constexpr double crack_half = 0.008, crack_clearance = 0.04;

 private:
  // The tangential plane of the matrix with this normal, and its distance from the origin.
  struct Wall {
    Vec3 along;
    double extent;
  };
  [[nodiscard]] double nearest(const std::vector<Vec3>& points) const {
    double least = 1e9;
    for (const Vec3& a : points)
      for (const Vec3& b : crack_points_) least = std::min(least, norm(a - b));
    return least;
  }
  std::vector<Wall> walls_;
  std::vector<std::pair<Vec3, double>> balls_;
  std::vector<Vec3> crack_points_;
};

// Grains, each inside the ball of this centre and radius.
struct Ball {
  Vec3 centre;
  double radius;
};

// Concentric layers of changing density.
void add_ooid(Phantom& p, const Ball& b, Draws& draw) {
  const Axes axes = draw.axes();
  const Vec3 half = b.radius * Vec3{1, draw.between(0.8, 1), draw.between(0.75, 0.95)};
  const int rings = static_cast<int>(std::clamp(b.radius / 0.024, 2.0, 5.0));
  for (int i = 0; i < rings; ++i) {
    const double scale = 1 - 0.85 * i / rings;
    p.parts.push_back({Solid::ellipsoid, b.centre, scale * half, i % 2 == 0 ? 0.45 : -0.3, axes});
  }
}

// Mineral with air-filled pores.
void add_porous(Phantom& p, const Ball& b, Draws& draw) {
  const double value = draw.between(0.35, 0.6);
  const Vec3 half = b.radius * Vec3{1, draw.between(0.85, 1), draw.between(0.85, 1)};
  const double inside = std::min(half.y, half.z);
  p.parts.push_back({Solid::ellipsoid, b.centre, half, value, draw.axes()});
  std::vector<Ball> pores;
  for (int trial = 0; trial < 80 && pores.size() < 9; ++trial) {
    const double size = b.radius * draw.between(0.1, 0.28);
    const Vec3 centre = (std::cbrt(draw.uniform()) * (0.95 * inside - size)) * draw.direction();
    const bool free = std::all_of(pores.begin(), pores.end(), [&](const Ball& other) {
      return norm(centre - other.centre) > size + other.radius + 0.03 * b.radius;
    });
    if (free) pores.push_back({centre, size});
  }
  for (const Ball& pore : pores)
    p.parts.push_back({Solid::ellipsoid, b.centre + pore.centre, pore.radius * Vec3{1, 1, 1}, -matrix_value - value});
}

// A dense crystal with flat faces, cleft in two.
void add_crystal(Phantom& p, const Ball& b, Draws& draw) {
  const Axes axes = draw.axes();
  Vec3 half{1, draw.between(0.7, 1), draw.between(0.5, 1)};
  half = (b.radius / norm(half)) * half;
  const double value = draw.between(0.7, 1);
  p.parts.push_back({Solid::box, b.centre, half, value, axes});
  if (b.radius < 0.06) return;
  const double at = draw.between(-0.4, 0.4);
  p.parts.push_back(
      {Solid::box, b.centre + (at * half.x) * axes[0], {0.035 * half.x, half.y, half.z}, -value - matrix_value, axes});
}

// A bubble with a thin wall.
void add_bubble(Phantom& p, const Ball& b, Draws& draw) {
  const Axes axes = draw.axes();
  const Vec3 half = b.radius * Vec3{1, draw.between(0.85, 1), draw.between(0.85, 1)};
  p.parts.push_back({Solid::ellipsoid, b.centre, half, 0.45, axes});
  p.parts.push_back({Solid::ellipsoid, b.centre, 0.86 * half, -0.45 - matrix_value, axes});
}

// Dense dust, or a small pore.
void add_speck(Phantom& p, const Ball& b, Draws& draw) {
  const Vec3 half = b.radius * Vec3{1, draw.between(0.6, 1), draw.between(0.6, 1)};
  const double kind = draw.uniform();
  const double value = kind < 0.3 ? 1.0 : kind < 0.6 ? 0.4 : -matrix_value;
  p.parts.push_back({Solid::ellipsoid, b.centre, half, value, draw.axes()});
}

void add_grain(Phantom& p, const Ball& b, Draws& draw) {
  const double kind = draw.uniform();
  if (b.radius < 0.036) return add_speck(p, b, draw);
  if (kind < 0.36) return add_ooid(p, b, draw);
  if (kind < 0.62) return add_porous(p, b, draw);
  if (kind < 0.82) return add_crystal(p, b, draw);
  add_bubble(p, b, draw);
}

void add_cracks(Phantom& p, Packing& packing, Draws& draw) {
  constexpr int cracks = 5, max_trials = 400;
  for (int trial = 0, found = 0; trial < max_trials && found < cracks; ++trial) {
    Vec3 across = draw.direction();
    across.z *= 0.3;  // steep, so that cracks are visible in slices
    const Axes axes = draw.axes((1 / norm(across)) * across);
    const Vec3 half{Packing::crack_half, draw.between(0.22, 0.42), draw.between(0.18, 0.32)};
    const Primitive crack{Solid::ellipsoid,
                          Vec3{draw.between(-0.6, 0.6), draw.between(-0.5, 0.5), draw.between(-0.4, 0.4)}, half,
                          -matrix_value, axes};
    if (!packing.add_crack(crack)) continue;
    p.parts.push_back(crack);
    ++found;
  }
}

}  // namespace

Phantom geode(double radius, uint64_t seed) {
  if (!(radius > 0) || !std::isfinite(radius)) throw Failure(invalid("radius of a phantom must be positive", "radius"));
  Phantom p;
  for (const Layer& l : layers)
    p.parts.push_back({Solid::ellipsoid, l.centre, l.scale * shell_half, l.value, turned_axes(shell_turn)});
  Draws draw(seed);
  Packing packing;
  add_cracks(p, packing, draw);
  // Large ones first, so that small ones fill the gaps between them.
  struct Size {
    double low, high;
    int count, trials;
  };
  constexpr Size sizes[] = {{0.19, 0.25, 5, 300},     {0.13, 0.19, 16, 1000},    {0.085, 0.13, 40, 2500},
                            {0.055, 0.085, 80, 4000}, {0.032, 0.055, 130, 5000}, {0.014, 0.032, 160, 4000}};
  for (const Size& s : sizes)
    for (int trial = 0, found = 0; trial < s.trials && found < s.count; ++trial) {
      const Vec3 centre{draw.between(-0.9, 0.9), draw.between(-0.85, 0.85), draw.between(-0.68, 0.68)};
      const double size = draw.between(s.low, s.high);
      // A round body on the rotation axis would look like a ring artefact.
      if (std::hypot(centre.x, centre.y) < 0.6 * size || !packing.add_ball(centre, size)) continue;
      add_grain(p, {centre, size}, draw);
      ++found;
    }
  for (Primitive& part : p.parts) {
    part.centre = radius * part.centre;
    part.half = radius * part.half;
  }
  return p;
}

}  // namespace tl::ops
