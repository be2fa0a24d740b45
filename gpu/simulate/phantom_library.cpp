// Defines the named phantoms by tables of their bodies.
#include "gpu/simulate/phantom_library.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/base/random.h"
#include "core/base/units.h"

namespace tl::ops {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// An ellipsoid whose first axis is rotated from +x towards +y by `degrees`.
Primitive ellipsoid(Vec3 centre, Vec3 half, double degrees, double value) {
  const double c = std::cos(degrees * pi / 180), s = std::sin(degrees * pi / 180);
  return {Solid::ellipsoid, centre, half, value, {Vec3{c, s, 0}, Vec3{-s, c, 0}, Vec3{0, 0, 1}}};
}

void need_positive(double value, const char* name) {
  if (!(value > 0) || !std::isfinite(value))
    throw Failure(invalid(std::string(name) + " of a phantom must be positive", name));
}

}  // namespace

Phantom shepp_logan_2d(double scale, Contrast contrast) {
  need_positive(scale, "scale");
  struct Row {
    double x, y, a, b, degrees, original, modified;
  };
  static constexpr Row table[] = {
      {0, 0, 0.69, 0.92, 0, 2, 1},
      {0, -0.0184, 0.6624, 0.874, 0, -0.98, -0.8},
      {0.22, 0, 0.11, 0.31, -18, -0.02, -0.2},
      {-0.22, 0, 0.16, 0.41, 18, -0.02, -0.2},
      {0, 0.35, 0.21, 0.25, 0, 0.01, 0.1},
      {0, 0.1, 0.046, 0.046, 0, 0.01, 0.1},
      {0, -0.1, 0.046, 0.046, 0, 0.01, 0.1},
      {-0.08, -0.605, 0.046, 0.023, 0, 0.01, 0.1},
      {0, -0.606, 0.023, 0.023, 0, 0.01, 0.1},
      {0.06, -0.605, 0.023, 0.046, 0, 0.01, 0.1},
  };
  Phantom p;
  for (const Row& r : table)
    p.parts.push_back(ellipsoid({scale * r.x, scale * r.y, 0}, {scale * r.a, scale * r.b, infinite}, r.degrees,
                                contrast == Contrast::original ? r.original : r.modified));
  return p;
}

Phantom shepp_logan_3d(double scale) {
  need_positive(scale, "scale");
  struct Row {
    double x, y, z, a, b, c, degrees, value;
  };
  static constexpr Row table[] = {
      {0, 0, 0, 0.69, 0.92, 0.90, 0, 2},
      {0, 0, 0, 0.6624, 0.874, 0.880, 0, -0.98},
      {-0.22, 0, 0.25, 0.41, 0.16, 0.21, 108, -0.02},
      {0.22, 0, 0.25, 0.31, 0.11, 0.22, 72, -0.02},
      {0, 0.35, 0.25, 0.21, 0.25, 0.50, 0, 0.02},
      {0, 0.1, 0.25, 0.046, 0.046, 0.046, 0, 0.02},
      {-0.08, -0.65, 0.25, 0.046, 0.023, 0.02, 0, 0.01},
      {0.06, -0.65, 0.25, 0.046, 0.023, 0.02, 90, 0.01},
      {0.06, -0.105, -0.625, 0.056, 0.04, 0.1, 90, 0.02},
      {0, 0.1, -0.625, 0.056, 0.056, 0.1, 0, -0.02},
  };
  Phantom p;
  for (const Row& r : table)
    p.parts.push_back(ellipsoid(scale * Vec3{r.x, r.y, r.z}, scale * Vec3{r.a, r.b, r.c}, r.degrees, r.value));
  return p;
}

Phantom disc(double radius, double value, double x, double y) {
  need_positive(radius, "radius");
  return {{ellipsoid({x, y, 0}, {radius, radius, infinite}, 0, value)}};
}

Phantom hollow_box(double half, double wall, double value) {
  need_positive(half, "half");
  need_positive(wall, "wall");
  if (!(wall < half)) throw Failure(invalid("the wall must be thinner than half the box", "wall"));
  const double inner = half - wall, small = half / 4;
  const auto cube = [](double x, double h, double v) { return Primitive{Solid::box, {x, 0, 0}, {h, h, h}, v}; };
  return {{cube(0, half, value), cube(0, inner, -value), cube(half + small, small, value)}};
}

Phantom hollow_sphere(double radius, double wall, double value) {
  need_positive(radius, "radius");
  need_positive(wall, "wall");
  if (!(wall < radius)) throw Failure(invalid("the wall must be thinner than the radius", "wall"));
  const double inner = radius - wall, small = radius / 4;
  const auto ball = [](double x, double r, double v) { return Primitive{Solid::ellipsoid, {x, 0, 0}, {r, r, r}, v}; };
  return {{ball(0, radius, value), ball(0, inner, -value), ball(radius + small, small, value)}};
}

Phantom random_ellipses(double radius, int64_t count, uint64_t seed) {
  need_positive(radius, "radius");
  if (count < 1) throw Failure(invalid("a phantom needs at least one ellipse", "count"));
  Phantom p;
  for (int64_t i = 0; i < count; ++i) {
    const Philox random{seed, static_cast<uint64_t>(i)};
    const double a = radius * (0.05 + 0.25 * random.uniform(0)), b = radius * (0.05 + 0.25 * random.uniform(1));
    // sqrt: uniform probability per area; the larger semi-axis stays inside the circle.
    const double r = (radius - std::max(a, b)) * std::sqrt(random.uniform(2)), at = 2 * pi * random.uniform(3);
    p.parts.push_back(ellipsoid({r * std::cos(at), r * std::sin(at), 0}, {a, b, infinite}, 180 * random.uniform(4),
                                0.2 + 0.8 * random.uniform(5)));
  }
  return p;
}

}  // namespace tl::ops
