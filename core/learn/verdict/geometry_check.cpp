// Checks a learned axis and tilt against opposite views or rays and the ends of the rows, independently of the
// objective.
#include "core/learn/verdict/geometry_check.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/learn/short_number.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/conjugate_rays.h"
#include "gpu/axis/lean.h"
#include "gpu/axis/ring_search.h"
#include "gpu/projection/oblique_rows.h"

namespace tl::learn {
namespace {

constexpr int64_t enough_rows = 3;
constexpr int64_t lines_of_a_part = 4;               // across the axis
constexpr double part_begin = 0.15, part_end = 0.4;  // fractions of the number of rows, from the middle
// Lines along which a tilt is measured: the fraction of the rows that they cover, their largest spacing [px], and
// limits on lines and samples.
constexpr double lines_within = 0.8, widest_spacing = 3;
constexpr int64_t fewest_lines = 16, max_lines = 64, max_samples = int64_t{1} << 24;

// Rows [view, row, col] for methods that cannot handle stripes, and whether stripes were removed from them.
struct CleanRows {
  at::Tensor data;
  bool striped = false;
};
CleanRows clean_rows(const at::Tensor& data, const ops::RingGeometry& geometry) {
  const at::Tensor clean = ops::rows_without_rings(data, geometry);
  return {clean, !clean.is_same(data)};
}

double displacement_in_parallel(const CleanRows& rows, const std::vector<double>& angles, double axis) {
  const ops::AxisChecks checks = ops::check_axis_data(rows.data, angles);
  // If the object extends beyond the rows, opposite views limit how well the axis is known. The same holds for stripes:
  // they stay at the same columns in all views, and pull an objective to a wrong axis.
  const bool by_others = rows.striped || checks.ends == ops::RowEnds::object;
  const auto beyond = [axis](double other, double sigma) {
    const double apart = std::abs(axis - other);
    return apart > 3 * sigma ? apart : 0;
  };
  if (checks.opposite.contradicted) return std::max(1.0, std::abs(axis - checks.opposite.axis));
  if (checks.opposite.found) {
    const double apart = beyond(checks.opposite.axis, checks.opposite.sigma);
    return apart > 0 || !by_others ? apart : checks.opposite.sigma;
  }
  if (checks.mass_known) {
    const double apart = beyond(checks.mass_axis, checks.mass_sigma);
    return apart > 0 || !rows.striped ? apart : checks.mass_sigma;
  }
  return by_others ? static_cast<double>(rows.data.size(2)) / 8 : 0;
}

// Parts of the detector above and below the middle.
struct DetectorPart {
  ops::AxisChecks checks;
  bool striped = false;
  double height = 0;  // [px]
  // Whether only opposite views determine the axis in this part.
  [[nodiscard]] bool by_others() const { return striped || checks.ends == ops::RowEnds::object; }
};
DetectorPart detector_part(const at::Tensor& data, const at::Tensor& vectors, const DetectorShape& detector,
                           const std::vector<double>& angles, double side) {
  std::vector<double> heights;
  for (int64_t n = 0; n < lines_of_a_part; ++n)
    heights.push_back(side * static_cast<double>(detector.rows) *
                      (part_begin + (part_end - part_begin) * static_cast<double>(n) / (lines_of_a_part - 1)));
  const CleanRows lines =
      clean_rows(ops::sample_lines(data, ops::horizontal_lines(vectors, detector, heights)), {angles, 0});
  return {ops::check_axis_data(lines.data, angles), lines.striped,
          side * static_cast<double>(detector.rows) * 0.5 * (part_begin + part_end)};
}

double fan_of(const Projections& scan, const Orbit& orbit) {
  return scan.geometry.detector().pitch_u / (orbit.source_to_axis + orbit.axis_to_detector);
}

// The middle rows, which lie at the height of the source. Empty unless the scan is absorption of a nominal orbit.
struct MiddleRows {
  CleanRows rows;
  Orbit orbit;
};
std::optional<MiddleRows> middle_rows(const Projections& scan) {
  const auto orbit = scan.geometry.orbit();
  if (scan.kind != PixelKind::absorption || !orbit || !orbit->is_nominal() || orbit->lamino != 0 ||
      !orbit->shift_u.empty())
    return std::nullopt;
  const int64_t rows = scan.data.size(1), used = std::min(rows, enough_rows);
  const at::Tensor data = scan.data.detach().narrow(1, (rows - used) / 2, used).to(at::kCPU);
  const double fan = scan.geometry.is_parallel() ? 0 : fan_of(scan, *orbit);
  return MiddleRows{clean_rows(data, {orbit->angles, fan}), *orbit};
}

// A scan's absorption in a parallel beam with another axis and tilt. Empty if its views are shifted, rolled or
// magnified, or it leans already.
struct LearnedScan {
  at::Tensor vectors;
  std::vector<double> angles;
};
std::optional<LearnedScan> learned_scan(const Projections& scan, double axis, double tilt) {
  auto orbit = scan.geometry.orbit();
  if (scan.kind != PixelKind::absorption || !scan.geometry.is_parallel() || !orbit || !orbit->is_nominal() ||
      orbit->lamino != 0 || !orbit->shift_u.empty())
    return std::nullopt;
  orbit->axis = axis;
  orbit->tilt = tilt;
  const auto learned = ScanGeometry::from_orbit(*orbit, scan.geometry.detector());
  if (!learned.ok()) return std::nullopt;
  return LearnedScan{at::tensor(learned.value().vectors(), at::kDouble).view({scan.geometry.views(), 12}),
                     orbit->angles};
}

ops::AxisResult opposite_rays(const MiddleRows& middle, const Projections& scan, double axis) {
  ops::ConjugateRaysParams p;
  p.search.centre = axis;
  p.fan_per_column = fan_of(scan, middle.orbit);
  return ops::axis_conjugate_rays(middle.rows.data, middle.orbit.angles, p);
}

}  // namespace

double tilt_displacement(const Projections& scan, double axis, double tilt) {
  const auto learned = learned_scan(scan, axis, tilt);
  if (!learned) return 0;
  const DetectorShape& detector = scan.geometry.detector();
  const at::Tensor data = scan.data.detach().to(at::kCPU);
  try {
    const DetectorPart above = detector_part(data, learned->vectors, detector, learned->angles, 1);
    const DetectorPart below = detector_part(data, learned->vectors, detector, learned->angles, -1);
    const double between = above.height - below.height;
    if (!(between > 1) || !above.checks.any_contrast || !below.checks.any_contrast) return 0;
    const ops::OppositeViews &a = above.checks.opposite, &b = below.checks.opposite;
    if (a.contradicted || b.contradicted) return std::max(1.0, std::abs(a.axis - b.axis)) / between;
    const bool by_others = above.by_others() || below.by_others();
    if (a.found && b.found) {
      const double apart = std::abs(a.axis - b.axis), unknown = std::hypot(a.sigma, b.sigma);
      if (apart > 3 * unknown) return apart / between;
      return by_others ? unknown / between : 0;
    }
    return by_others ? static_cast<double>(detector.cols) / 8 / between : 0;
  } catch (const Failure& refused) {
    if (refused.error().kind != ErrorKind::invalid) throw;
    return 0;  // too few views
  }
}

std::string axis_lean_warning(const Projections& scan, double axis, double tilt) {
  const auto learned = learned_scan(scan, axis, tilt);
  const DetectorShape& detector = scan.geometry.detector();
  const double within = lines_within * static_cast<double>(detector.rows);
  if (!learned || within < static_cast<double>(fewest_lines)) return {};
  const int64_t affordable = max_samples / (scan.geometry.views() * detector.cols);
  const int64_t count = std::min(std::clamp(affordable, fewest_lines, max_lines), static_cast<int64_t>(within));
  const double spacing = std::min(within / static_cast<double>(count), widest_spacing);
  std::vector<double> heights;
  for (int64_t n = 0; n < count; ++n)
    heights.push_back(spacing * (0.5 * static_cast<double>(count - 1) - static_cast<double>(n)));
  const at::Tensor lines =
      ops::sample_lines(scan.data.detach().to(at::kCPU), ops::horizontal_lines(learned->vectors, detector, heights));
  try {
    const ops::AxisLean found =
        ops::axis_lean({clean_rows(lines, {learned->angles, 0}).data, learned->angles, axis, spacing});
    if (!found.leans()) return {};
    const auto degrees = [](double angle) { return short_number(from_stored(angle, Unit::deg), 2); };
    return "opposite views show that the axis leans along the beam, by " + degrees(std::abs(found.lean)) + " ± " +
           degrees(found.lean_sigma) + " degrees: no axis and tilt across the beam describe the scan";
  } catch (const Failure& refused) {
    if (refused.error().kind != ErrorKind::invalid) throw;
    return {};  // too few views
  }
}

bool object_leaves_rows(const Projections& scan) {
  if (scan.kind != PixelKind::absorption) return false;
  const int64_t rows = scan.data.size(1), used = std::min(rows, trait_rows);
  const at::Tensor data = scan.data.detach().narrow(1, (rows - used) / 2, used).to(at::kCPU);
  std::vector<double> angles = equidistant_angles(scan.geometry.views(), 2 * pi);
  if (const auto orbit = scan.geometry.orbit()) angles = orbit->angles;
  try {
    return ops::ends_of_rows(data, angles) == ops::RowEnds::object;
  } catch (const Failure& refused) {
    if (refused.error().kind != ErrorKind::invalid) throw;
    return false;
  }
}

double axis_displacement(const Projections& scan, double axis) {
  const auto middle = middle_rows(scan);
  if (!middle) return 0;
  const std::vector<double>& angles = middle->orbit.angles;
  try {
    if (scan.geometry.is_parallel()) return displacement_in_parallel(middle->rows, angles, axis);
    if (middle->orbit.source_shift_u != 0) return 0;
    const double shift = ops::axis_shift_by_opposite_rays(middle->rows.data, angles, axis, fan_of(scan, middle->orbit));
    if (shift != 0 || !middle->rows.striped) return shift;
    const ops::AxisResult rays = opposite_rays(*middle, scan, axis);
    if (rays.verdict != ops::AxisVerdict::resolved) return static_cast<double>(scan.data.size(2)) / 8;
    return std::max(std::abs(rays.axis - axis), rays.uncertainty);
  } catch (const Failure& refused) {
    if (refused.error().kind != ErrorKind::invalid) throw;
    return 0;  // too few views, or less than a full turn of a cone beam
  }
}

std::optional<double> axis_confirmation_limit(const Projections& scan, double axis) {
  const auto middle = middle_rows(scan);
  if (!middle) return std::nullopt;
  const auto confirmed = [axis](double other, double sigma) {
    const double apart = std::abs(axis - other);
    return apart <= 3 * sigma ? std::optional(std::hypot(apart, sigma)) : std::nullopt;
  };
  try {
    if (scan.geometry.is_parallel()) {
      const ops::OppositeViews opposite = ops::check_axis_data(middle->rows.data, middle->orbit.angles).opposite;
      return opposite.found && !opposite.contradicted ? confirmed(opposite.axis, opposite.sigma) : std::nullopt;
    }
    if (middle->orbit.source_shift_u != 0) return std::nullopt;
    const ops::AxisResult rays = opposite_rays(*middle, scan, axis);
    return rays.verdict == ops::AxisVerdict::resolved ? confirmed(rays.axis, rays.uncertainty) : std::nullopt;
  } catch (const Failure& refused) {
    if (refused.error().kind != ErrorKind::invalid) throw;
    return std::nullopt;
  }
}

}  // namespace tl::learn
