// Finds directions of the unknowns that are equivalent to a motion of the whole object.
#include "core/learn/verdict/object_motion.h"

#include <algorithm>
#include <cmath>

#include "core/learn/descent/symmetric.h"
#include "gpu/alignment/views/view_motion.h"

namespace tl::learn {
namespace {

constexpr double left_by_fit = 1e-4;  // of the squared displacements
constexpr double small = 1e-3;        // share of natural step, field of view, radian: displacements are then linear
constexpr double same = 1e-8;         // share of the largest eigenvalue below which unknowns are equivalent

// [view, point, column or row] [px]
Vector all_positions(const ScanGeometry& geometry, const std::vector<Vec3>& points) {
  Vector all;
  for (int64_t view = 0; view < geometry.views(); ++view) {
    const Vector of_view = ops::image_positions(geometry, view, points);
    all.insert(all.end(), of_view.begin(), of_view.end());
  }
  return all;
}

Vector difference(Vector a, const Vector& b, double over) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] - b[i]) / over;
  return a;
}

// Displacement of the images of the points by a natural step of each unknown. Empty: a geometry is refused.
std::vector<Vector> displacements_by_unknowns(const Problem& problem, const Vector& z, const std::vector<Vec3>& points,
                                              std::size_t views) {
  std::vector<Vector> columns;
  // Displacement of all elements of a block together, or of one element.
  const auto moved = [&](const ParameterBlock& b, std::optional<std::size_t> entry) {
    Vector up = z, down = z;
    for (std::size_t i = 0; i < b.size; ++i) {
      if (entry && *entry != i) continue;
      up[b.offset + i] += small;
      down[b.offset + i] -= small;
    }
    const auto more = problem.geometry_at(up), less = problem.geometry_at(down);
    if (!more || !less || more->views() != less->views()) return Vector();
    return difference(all_positions(*more, points), all_positions(*less, points), 2 * small);
  };
  const std::size_t of_view = 2 * points.size();
  for (const ParameterBlock& b : problem.parameter_blocks()) {
    const bool by_view = b.decl->per_view && b.size == views;  // an element affects only its own view
    const Vector together = by_view ? moved(b, std::nullopt) : Vector();
    for (std::size_t i = 0; i < b.size; ++i) {
      if (by_view && together.size() != views * of_view) return {};
      if (!by_view) {
        columns.push_back(moved(b, i));
        continue;
      }
      columns.emplace_back(together.size(), 0.0);
      const auto first = static_cast<std::ptrdiff_t>(i * of_view);
      std::copy_n(together.begin() + first, of_view, columns.back().begin() + first);
    }
  }
  for (const Vector& c : columns)
    if (c.size() != views * of_view) return {};
  return columns;
}

}  // namespace

Result<std::vector<ObjectMotion>> object_motions(Problem& problem, const Vector& z) {
  std::vector<ObjectMotion> motions;
  const auto geometry = problem.geometry_at(z);
  if (!geometry || problem.has_arrays()) return motions;
  const std::vector<Vec3> points = ops::points_of_object(*geometry);
  const std::vector<Vector> columns =
      displacements_by_unknowns(problem, z, points, static_cast<std::size_t>(geometry->views()));
  if (columns.empty()) return motions;
  const std::size_t n = problem.size();
  Matrix normal(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) normal(i, j) = normal(j, i) = dot(columns[i], columns[j]);
  const EigenSystem axes = eigen_system(normal);
  for (std::size_t motion = 0; motion < ops::object_motion_names.size(); ++motion) {
    const auto at = [&](double amount) {
      return all_positions(*geometry, ops::moved_points(points, motion, amount, *geometry));
    };
    const Vector shown = difference(at(small), at(-small), 2 * small);
    Vector right(n), direction(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) right[i] = dot(columns[i], shown);
    for (std::size_t k = 0; k < n; ++k) {
      if (!(axes.values[k] > same * axes.values.back())) continue;
      double along = 0;
      for (std::size_t i = 0; i < n; ++i) along += axes.vectors(i, k) * right[i] / axes.values[k];
      for (std::size_t i = 0; i < n; ++i) direction[i] += along * axes.vectors(i, k);
    }
    Vector left = shown;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t p = 0; p < left.size(); ++p) left[p] -= direction[i] * columns[i][p];
    const double size = length(direction);
    if (!(size > 0) || dot(left, left) > left_by_fit * dot(shown, shown)) continue;
    for (double& x : direction) x /= size;
    motions.push_back({ops::object_motion_names[motion], std::move(direction)});
  }
  return motions;
}

std::vector<Vector> orthonormal_directions(const std::vector<ObjectMotion>& motions) {
  constexpr double rounding = 1e-6;  // length of the new part of a unit vector, below which it is rounding error
  std::vector<Vector> basis;
  for (const ObjectMotion& m : motions) {
    Vector own = m.direction;
    for (const Vector& other : basis) {
      const double along = dot(own, other);
      for (std::size_t i = 0; i < own.size(); ++i) own[i] -= along * other[i];
    }
    const double size = length(own);
    if (size < rounding) continue;
    for (double& x : own) x /= size;
    basis.push_back(std::move(own));
  }
  return basis;
}

bool moves_along(const ObjectMotion& motion, std::size_t unknown) {
  constexpr double share = 0.01;
  double most = 0;
  for (const double x : motion.direction) most = std::max(most, std::abs(x));
  return std::abs(motion.direction[unknown]) > share * most;
}

}  // namespace tl::learn
