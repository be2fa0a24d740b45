// Makes volumes of phantoms by sampling (only voxels near surfaces), and projections of them from closed-form chords.
#include "gpu/simulate/phantom.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/error.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

// A body in its normalized frame: local(p) = rows * (p - centre), where an ellipsoid is the unit ball and a box the
// cube [-1, 1]^3. An infinite semi-axis gives a zero row: that coordinate has no effect.
struct Body {
  Solid solid;
  Vec3 centre;
  std::array<Vec3, 3> rows;
  double value;
  double radius;  // radius of a ball around the centre that contains the body; may be infinite

  [[nodiscard]] Vec3 direction(Vec3 d) const { return {dot(rows[0], d), dot(rows[1], d), dot(rows[2], d)}; }
  [[nodiscard]] Vec3 local(Vec3 p) const { return direction(p - centre); }
};

[[noreturn]] void refuse(const std::string& what, const std::string& where) { throw Failure(invalid(what, where)); }

std::vector<Body> prepare(const Phantom& phantom) {
  std::vector<Body> bodies;
  for (const Primitive& p : phantom.parts) {
    const double half[3] = {p.half.x, p.half.y, p.half.z};
    const bool box = p.solid == Solid::box;
    Body b{p.solid, p.centre, {}, p.value, box ? norm(p.half) : std::max({half[0], half[1], half[2]})};
    for (std::size_t a = 0; a < 3; ++a) {
      if (!(half[a] > 0)) refuse("semi-axes must be positive, not " + std::to_string(half[a]), "phantom");
      const bool unit = std::abs(dot(p.axes[a], p.axes[a]) - 1) < 1e-9;
      if (!unit || std::abs(dot(p.axes[a], p.axes[(a + 1) % 3])) > 1e-9)
        refuse("the axes of a body must be orthonormal", "phantom");
      b.rows[a] = (1 / half[a]) * p.axes[a];
    }
    if (!std::isfinite(norm(p.centre)) || !std::isfinite(p.value))
      refuse("centre and value of a body must be finite", "phantom");
    bodies.push_back(b);
  }
  return bodies;
}

bool inside(Solid solid, Vec3 q) {
  if (solid == Solid::ellipsoid) return dot(q, q) <= 1;
  return std::abs(q.x) <= 1 && std::abs(q.y) <= 1 && std::abs(q.z) <= 1;
}

// Length of the ray origin + t * direction (unit length, t >= start) inside a body.
double chord(const Body& b, Vec3 origin, Vec3 direction, double start) {
  const Vec3 o = b.local(origin), d = b.direction(direction);
  double enter = -std::numeric_limits<double>::infinity(), leave = -enter;
  if (b.solid == Solid::ellipsoid) {
    const double a = dot(d, d);
    if (!(a > 0)) return 0;
    // Computed from the point of closest approach, to avoid cancellation between large distances.
    const double middle = -dot(o, d) / a;
    const Vec3 closest = o + middle * d;
    const double gap = 1 - dot(closest, closest);
    if (!(gap > 0)) return 0;
    const double reach = std::sqrt(gap / a);
    if (middle - reach >= start) return 2 * reach;
    leave = middle + reach;
  } else {
    const double oo[3] = {o.x, o.y, o.z}, dd[3] = {d.x, d.y, d.z};
    for (int a = 0; a < 3; ++a) {
      if (dd[a] == 0) {
        if (std::abs(oo[a]) > 1) return 0;
        continue;
      }
      const double t0 = (-1 - oo[a]) / dd[a], t1 = (1 - oo[a]) / dd[a];
      enter = std::max(enter, std::min(t0, t1));
      leave = std::min(leave, std::max(t0, t1));
    }
  }
  const double length = leave - std::max(enter, start);
  if (std::isinf(length)) refuse("a ray runs along an infinitely long body", "phantom");
  return std::max(length, 0.0);
}

// Position of a voxel relative to a body: certainly outside, certainly inside, or to be sampled.
enum class Place { outside, inside, border };

Place place(const Body& b, Vec3 q, const std::array<Vec3, 3>& steps) {
  if (b.solid == Solid::box) {
    const double rx = 0.5 * (std::abs(steps[0].x) + std::abs(steps[1].x) + std::abs(steps[2].x));
    const double ry = 0.5 * (std::abs(steps[0].y) + std::abs(steps[1].y) + std::abs(steps[2].y));
    const double rz = 0.5 * (std::abs(steps[0].z) + std::abs(steps[1].z) + std::abs(steps[2].z));
    const double x = std::abs(q.x), y = std::abs(q.y), z = std::abs(q.z);
    if (x - rx > 1 || y - ry > 1 || z - rz > 1) return Place::outside;
    return x + rx < 1 && y + ry < 1 && z + rz < 1 ? Place::inside : Place::border;
  }
  const double reach = 0.5 * (norm(steps[0]) + norm(steps[1]) + norm(steps[2]));
  const double distance = norm(q);
  if (distance - reach > 1) return Place::outside;
  return distance + reach < 1 ? Place::inside : Place::border;
}

// Fraction of a voxel (centre q, edge vectors `steps`, in the body's frame) inside the body, from n^3 samples.
double share(const Body& b, Vec3 q, const std::array<Vec3, 3>& steps, int64_t n) {
  int64_t hits = 0;
  const auto at = [n](int64_t s) { return (static_cast<double>(s) + 0.5) / static_cast<double>(n) - 0.5; };
  for (int64_t k = 0; k < n; ++k)
    for (int64_t j = 0; j < n; ++j) {
      const Vec3 line = q + at(k) * steps[2] + at(j) * steps[1];
      for (int64_t i = 0; i < n; ++i) hits += inside(b.solid, line + at(i) * steps[0]) ? 1 : 0;
    }
  return static_cast<double>(hits) / static_cast<double>(n * n * n);
}

void check(const PhantomSampling& s) {
  if (s.dtype != at::kFloat && s.dtype != at::kDouble) refuse("phantoms are float32 or float64", "dtype");
  if (s.per_axis < 1 || s.per_axis > 64)
    refuse("a voxel needs 1 to 64 samples per edge, not " + std::to_string(s.per_axis), "samples");
}

// Relative rounding error of the distances below.
constexpr double rounding = 1e-9;

// Indices of the bodies that a line of voxels from `first` to `last` may intersect.
std::vector<std::size_t> near_line(const std::vector<Body>& bodies, Vec3 first, Vec3 last, double half_voxel) {
  const Vec3 middle = 0.5 * (first + last);
  const double half = 0.5 * norm(last - first);
  const Vec3 along = half > 0 ? (0.5 / half) * (last - first) : Vec3{};
  std::vector<std::size_t> near;
  for (std::size_t n = 0; n < bodies.size(); ++n) {
    const Vec3 to = bodies[n].centre - middle;
    const double at = std::clamp(dot(to, along), -half, half);
    if (norm(to - at * along) <= (bodies[n].radius + half_voxel) * (1 + rounding)) near.push_back(n);
  }
  return near;
}

template <class T>
void fill_volume(const std::vector<Body>& bodies, const VolumeGrid& g, const PhantomSampling& s, T* out) {
  std::vector<std::array<Vec3, 3>> steps;
  for (const Body& b : bodies) steps.push_back({b.direction(g.step_x), b.direction(g.step_y), b.direction(g.step_z)});
  const double half_voxel = 0.5 * (norm(g.step_x) + norm(g.step_y) + norm(g.step_z));
  ops::parallel_for(0, g.nz * g.ny, 8, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      s.cancel.check();
      const int64_t slice = line / g.ny;
      const double k = static_cast<double>(slice), j = static_cast<double>(line % g.ny);
      const auto near =
          near_line(bodies, g.position(k, j, 0), g.position(k, j, static_cast<double>(g.nx - 1)), half_voxel);
      for (int64_t i = 0; i < g.nx; ++i) {
        const Vec3 p = g.position(k, j, static_cast<double>(i));
        double sum = 0;
        for (const std::size_t n : near) {
          const Body& b = bodies[n];
          const Vec3 q = b.local(p);
          const Place where = place(b, q, steps[n]);
          if (where == Place::inside) sum += b.value;
          if (where == Place::border) sum += b.value * share(b, q, steps[n], s.per_axis);
        }
        out[line * g.nx + i] = static_cast<T>(sum);
      }
    }
  });
}

// A body as seen by the rays of one detector row. In a parallel beam, the ray at (du, dv) on the detector passes the
// centre of an ellipsoid at middle + du * u - dv * v in the body's frame, so that its chord is longest * sqrt(1 -
// that^2). Other bodies have longest = 0: each ray is intersected with them separately.
struct Shadow {
  const Body* body;
  Vec3 middle, u, v;
  double longest = 0;
};

double chord(const Shadow& s, double du, double dv) {
  const Vec3 q = s.middle + du * s.u - dv * s.v;
  const double gap = 1 - dot(q, q);
  return gap > 0 ? s.longest * std::sqrt(gap) : 0;
}

// Rays of one detector row of a view. Bodies that they miss are left out of the sum, which does not change it.
class RowOfRays {
 public:
  RowOfRays(const ScanGeometry& g, int64_t view, int64_t row, double mid_row)
      : parallel_(g.is_parallel()), view_(g.view(view)), dv_(static_cast<double>(row) - mid_row) {}

  [[nodiscard]] Vec3 pixel(double du, double dv) const { return view_.detector + du * view_.u - (dv_ + dv) * view_.v; }
  [[nodiscard]] Vec3 origin(Vec3 pixel) const { return parallel_ ? pixel : view_.beam; }
  [[nodiscard]] Vec3 direction(Vec3 pixel) const {
    const Vec3 along = parallel_ ? view_.beam : pixel - view_.beam;
    return (1 / norm(along)) * along;
  }
  [[nodiscard]] double start() const { return parallel_ ? -std::numeric_limits<double>::infinity() : 0.0; }

  // The bodies that intersect a ball around the plane of the row's middle rays.
  void select(const std::vector<Body>& bodies, std::vector<Shadow>& near) const {
    near.clear();
    const Vec3 middle = pixel(0, 0), across = cross(view_.u, direction(middle));
    const double length = norm(across);
    for (const Body& b : bodies) {
      const Vec3 to = b.centre - origin(middle);
      const double reach = b.radius + spread(0.5 * norm(view_.v), to, distance_of_row());
      if (!(length > 0) || std::abs(dot(to, across)) <= length * reach * (1 + rounding)) near.push_back(shadow(b));
    }
  }
  // The selected shadows that intersect the rays of the columns du - half to du + half.
  void select(const std::vector<Shadow>& bodies, double du, double half, std::vector<Shadow>& near) const {
    near.clear();
    const Vec3 middle = pixel(du, 0), along = direction(middle);
    const double apart = half * norm(view_.u) + 0.5 * norm(view_.v);
    for (const Shadow& b : bodies) {
      const Vec3 to = b.body->centre - origin(middle);
      const double reach = b.body->radius + spread(apart, to, norm(middle - view_.beam));
      const Vec3 across = to - dot(to, along) * along;
      if (!(dot(across, across) > reach * reach * (1 + rounding))) near.push_back(b);
    }
  }

 private:
  [[nodiscard]] Shadow shadow(const Body& b) const {
    if (!parallel_ || b.solid != Solid::ellipsoid) return {&b, {}, {}, {}};
    const Vec3 middle = pixel(0, 0), along = b.direction(direction(middle));
    const double square = dot(along, along);
    if (!(square > 0)) return {&b, {}, {}, {}};
    const auto across_ray = [&](Vec3 q) { return q - (dot(q, along) / square) * along; };
    return {&b, across_ray(b.local(middle)), across_ray(b.direction(view_.u)), across_ray(b.direction(view_.v)),
            2 / std::sqrt(square)};
  }
  // Upper bound of the distance near a body between two rays that are `apart` on the detector: for rays of a source at
  // `distance`, an angle times the body's distance `to`.
  [[nodiscard]] double spread(double apart, Vec3 to, double distance) const {
    if (parallel_) return apart;
    return apart < distance ? norm(to) * std::asin(apart / distance) : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double distance_of_row() const {
    const Vec3 to = pixel(0, 0) - view_.beam;
    return norm(to - (dot(to, view_.u) / dot(view_.u, view_.u)) * view_.u);
  }
  bool parallel_;
  View view_;
  double dv_;
};

double integral(const RowOfRays& rays, const std::vector<Shadow>& bodies, double du, double dv) {
  double sum = 0;
  bool others = false;
  for (const Shadow& b : bodies) {
    if (b.longest > 0)
      sum += b.body->value * chord(b, du, dv);
    else
      others = true;
  }
  if (!others) return sum;
  const Vec3 pixel = rays.pixel(du, dv);
  const Vec3 origin = rays.origin(pixel), direction = rays.direction(pixel);
  for (const Shadow& b : bodies)
    if (!(b.longest > 0)) sum += b.body->value * chord(*b.body, origin, direction, rays.start());
  return sum;
}

constexpr int64_t columns_together = 8;  // share a selection of bodies

template <class T>
void fill_projections(const std::vector<Body>& bodies, const ScanGeometry& g, const PhantomSampling& s, T* out) {
  const int64_t rows = g.detector().rows, cols = g.detector().cols, n = s.per_axis;
  const double mid_col = 0.5 * static_cast<double>(cols - 1), mid_row = 0.5 * static_cast<double>(rows - 1);
  const auto at = [n](int64_t i) { return (static_cast<double>(i) + 0.5) / static_cast<double>(n) - 0.5; };
  ops::parallel_for(0, g.views() * rows, 4, [&](int64_t begin, int64_t end) {
    std::vector<Shadow> of_row, near;
    for (int64_t line = begin; line < end; ++line) {
      s.cancel.check();
      const RowOfRays rays(g, line / rows, line % rows, mid_row);
      rays.select(bodies, of_row);
      for (int64_t col = 0; col < cols; ++col) {
        if (col % columns_together == 0) {
          const double half = 0.5 * static_cast<double>(columns_together);
          rays.select(of_row, static_cast<double>(col) - mid_col + half - 0.5, half, near);
        }
        double sum = 0;
        for (int64_t ray = 0; ray < n * n; ++ray) {
          const double du = static_cast<double>(col) - mid_col + at(ray % n), dv = at(ray / n);
          sum += integral(rays, near, du, dv);
        }
        out[line * cols + col] = static_cast<T>(sum / static_cast<double>(n * n));
      }
    }
  });
}

}  // namespace

Phantom shifted(Phantom phantom, Vec3 shift) {
  for (Primitive& p : phantom.parts) p.centre = p.centre + shift;
  return phantom;
}

Phantom turned(Phantom phantom, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const auto turn = [c, s](Vec3 p) { return Vec3{c * p.x - s * p.y, s * p.x + c * p.y, p.z}; };
  for (Primitive& p : phantom.parts) {
    p.centre = turn(p.centre);
    for (Vec3& axis : p.axes) axis = turn(axis);
  }
  return phantom;
}

Phantom with_values_scaled(Phantom phantom, double factor) {
  for (Primitive& p : phantom.parts) p.value *= factor;
  return phantom;
}

at::Tensor phantom_volume(const Phantom& phantom, const VolumeGrid& grid, const PhantomSampling& sampling) {
  check(sampling);
  grid.validate().or_throw();
  const auto bodies = prepare(phantom);
  at::Tensor out = at::empty({grid.nz, grid.ny, grid.nx}, at::TensorOptions().dtype(sampling.dtype));
  if (sampling.dtype == at::kFloat)
    fill_volume(bodies, grid, sampling, out.data_ptr<float>());
  else
    fill_volume(bodies, grid, sampling, out.data_ptr<double>());
  return out;
}

at::Tensor phantom_projections(const Phantom& phantom, const ScanGeometry& geometry, const PhantomSampling& sampling) {
  check(sampling);
  const auto bodies = prepare(phantom);
  const DetectorShape& d = geometry.detector();
  at::Tensor out = at::empty({geometry.views(), d.rows, d.cols}, at::TensorOptions().dtype(sampling.dtype));
  if (sampling.dtype == at::kFloat)
    fill_projections(bodies, geometry, sampling, out.data_ptr<float>());
  else
    fill_projections(bodies, geometry, sampling, out.data_ptr<double>());
  return out;
}

}  // namespace tl::ops
