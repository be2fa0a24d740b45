// Finds what changes of views share with motions of the object, smooths changes, and finds jumps.
#include "gpu/alignment/views/view_motion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/grid_projection.h"

namespace tl::ops {
namespace {

constexpr double left_by_fit = 0.1;  // of the squared displacements
constexpr double small = 1e-3;       // of the field of view, and of a natural step: displacements are linear

using Displacements = std::vector<double>;  // of points in an image, image_positions() [px]

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void subtract(std::vector<double>& from, double factor, const std::vector<double>& what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * what[i];
}

// Least squares of d by the columns, which are overwritten: modified Gram-Schmidt. Columns that add nothing count as 0.
std::vector<double> fit(std::vector<std::vector<double>> columns, std::vector<double> d, double& left) {
  const std::size_t n = columns.size();
  std::vector<double> in_basis(n, 0.0), result(n, 0.0);
  std::vector<std::vector<double>> upper(n, std::vector<double>(n, 0.0));
  for (std::size_t k = 0; k < n; ++k) {
    const double before = product(columns[k], columns[k]);
    for (std::size_t j = 0; j < k; ++j) {
      upper[j][k] = product(columns[j], columns[k]);
      subtract(columns[k], upper[j][k], columns[j]);
    }
    const double size = std::sqrt(product(columns[k], columns[k]));
    if (!(size * size > 1e-9 * before)) {
      std::fill(columns[k].begin(), columns[k].end(), 0.0);
      continue;
    }
    upper[k][k] = size;
    for (double& x : columns[k]) x /= size;
    in_basis[k] = product(columns[k], d);
    subtract(d, in_basis[k], columns[k]);
  }
  for (std::size_t k = n; k-- > 0;) {
    if (upper[k][k] == 0) continue;
    double value = in_basis[k];
    for (std::size_t j = k + 1; j < n; ++j) value -= upper[k][j] * result[j];
    result[k] = value / upper[k][k];
  }
  left = product(d, d);
  return result;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::vector<Vec3> points_of_object(const ScanGeometry& geometry) {
  constexpr double share = 0.3;
  const VolumeGrid grid = default_grid(geometry);
  std::vector<Vec3> points = {grid.centre};
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [corner](int bit, int64_t n) {
      return (0.5 + ((corner >> bit & 1) != 0 ? share : -share)) * static_cast<double>(n) - 0.5;
    };
    points.push_back(grid.position(side(2, grid.nz), side(1, grid.ny), side(0, grid.nx)));
  }
  return points;
}

std::vector<Vec3> moved_points(std::vector<Vec3> points, std::size_t motion, double amount,
                               const ScanGeometry& geometry) {
  const VolumeGrid grid = default_grid(geometry);
  const double width = norm(grid.step_x) * static_cast<double>(grid.nx);
  const Vec3 axis{motion % 3 == 0 ? 1.0 : 0, motion % 3 == 1 ? 1.0 : 0, motion % 3 == 2 ? 1.0 : 0};
  for (Vec3& p : points) {
    if (motion < 3) {
      p = p + (amount * width) * axis;
    } else if (motion < 6) {
      p = p + amount * cross(axis, p);
    } else {
      p = (1 + amount) * p;
    }
  }
  return points;
}

std::vector<double> image_positions(const ScanGeometry& geometry, int64_t view, const std::vector<Vec3>& points) {
  std::vector<double> all;
  for (const Vec3& p : points) {
    const auto hit = geometry.project(view, p);
    all.push_back(hit.col);
    all.push_back(hit.row);
  }
  return all;
}

std::vector<std::vector<double>> object_motions(const ScanGeometry& geometry, const std::vector<ViewChange>& kinds) {
  const std::vector<Vec3> points = points_of_object(geometry);
  std::vector<ScanGeometry> by_kind;
  for (const ViewChange kind : kinds) {
    ViewChanges step = no_changes({kind}, geometry.views());
    std::fill(step.values.begin(), step.values.end(), small * natural_step(kind, geometry.detector()));
    by_kind.push_back(changed(geometry, step).or_throw());
  }
  std::vector<std::vector<double>> motions;
  for (std::size_t motion = 0; motion < object_motion_names.size(); ++motion) {
    const std::vector<Vec3> moved = moved_points(points, motion, small, geometry);
    std::vector<double> direction;
    double all = 0, left = 0;
    for (int64_t view = 0; view < geometry.views(); ++view) {
      const Displacements rest = image_positions(geometry, view, points);
      Displacements shown = image_positions(geometry, view, moved);
      subtract(shown, 1, rest);
      std::vector<Displacements> columns;
      for (const ScanGeometry& one : by_kind) {
        columns.push_back(image_positions(one, view, points));
        subtract(columns.back(), 1, rest);
      }
      all += product(shown, shown);
      double rest_of_view = 0;
      for (const double x : fit(columns, shown, rest_of_view)) direction.push_back(x);
      left += rest_of_view;
    }
    if (!(all > 0) || left > left_by_fit * all) continue;
    const double before = product(direction, direction);
    for (const auto& other : motions) subtract(direction, product(direction, other), other);
    const double squares = product(direction, direction);
    if (!(squares > 1e-6 * before)) continue;
    for (double& x : direction) x /= std::sqrt(squares);
    motions.push_back(std::move(direction));
  }
  return motions;
}

void remove_motions(ViewChanges& changes, const std::vector<std::vector<double>>& motions,
                    const DetectorShape& detector) {
  const std::size_t kinds = changes.kinds.size();
  const auto step = [&](std::size_t i) { return natural_step(changes.kinds[i % kinds], detector); };
  for (std::size_t i = 0; i < changes.values.size(); ++i) changes.values[i] /= step(i);
  for (const auto& motion : motions) subtract(changes.values, product(changes.values, motion), motion);
  for (std::size_t i = 0; i < changes.values.size(); ++i) changes.values[i] *= step(i);
}

void smooth_over_views(ViewChanges& changes, double width) {
  if (!(width > 0)) return;
  const std::size_t kinds = changes.kinds.size();
  const auto views = static_cast<int64_t>(changes.views());
  const auto reach = static_cast<int64_t>(std::ceil(4 * width));
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::vector<double> list = changes.list(kind);
    // Mirrored through the end point: a straight line goes on.
    const auto beyond = [&](int64_t i) {
      const int64_t last = views - 1;
      if (i >= 0 && i <= last) return list[static_cast<std::size_t>(i)];
      const double end = i < 0 ? list.front() : list.back();
      const int64_t mirror = std::clamp<int64_t>(i < 0 ? -i : 2 * last - i, 0, last);
      return 2 * end - list[static_cast<std::size_t>(mirror)];
    };
    for (int64_t i = 0; i < views; ++i) {
      double sum = 0, weights = 0;
      for (int64_t k = -reach; k <= reach; ++k) {
        const double x = static_cast<double>(k) / width, w = std::exp(-0.5 * x * x);
        sum += w * beyond(i + k);
        weights += w;
      }
      changes.values[static_cast<std::size_t>(i) * kinds + kind] = sum / weights;
    }
  }
}

std::vector<int64_t> jumps(const std::vector<double>& list, double least) {
  constexpr double unusual = 6, sigma_of_deviation = 1.4826;
  std::vector<double> steps, deviations;
  for (std::size_t i = 1; i < list.size(); ++i) steps.push_back(list[i] - list[i - 1]);
  const double usual = median(steps);
  for (const double s : steps) deviations.push_back(std::abs(s - usual));
  const double limit = std::max(least, unusual * sigma_of_deviation * median(deviations));
  std::vector<int64_t> found;
  for (std::size_t i = 0; i < deviations.size(); ++i)
    if (deviations[i] > limit) found.push_back(static_cast<int64_t>(i) + 1);
  return found;
}

}  // namespace tl::ops
