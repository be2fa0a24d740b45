// Opposite views beside a learned axis.
#include "core/learn/verdict/axis_witness.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/conjugate_rays.h"

namespace tl::learn {
namespace {

constexpr int64_t enough_rows = 3;

double displacement_in_parallel(const at::Tensor& data, const std::vector<double>& angles, double axis) {
  const ops::AxisChecks checks = ops::check_axis_data(data, angles);
  const auto beyond = [axis](double other, double sigma) {
    const double apart = std::abs(axis - other);
    return apart > 3 * sigma ? apart : 0;
  };
  if (checks.opposite.contradicted) return std::max(1.0, std::abs(axis - checks.opposite.axis));
  if (checks.opposite.found) return beyond(checks.opposite.axis, checks.opposite.sigma);
  if (checks.mass_known) return beyond(checks.mass_axis, checks.mass_sigma);
  return checks.ends == ops::RowEnds::object ? static_cast<double>(data.size(2)) / 8 : 0;
}

}  // namespace

double axis_displacement(const Projections& scan, double axis) {
  const auto orbit = scan.geometry.orbit();
  if (scan.kind != PixelKind::absorption || !orbit || orbit->lamino != 0 || !orbit->shift_u.empty()) return 0;
  const int64_t rows = scan.data.size(1), used = std::min(rows, enough_rows);
  const at::Tensor data = scan.data.detach().narrow(1, (rows - used) / 2, used).to(at::kCPU);
  try {
    if (scan.geometry.is_parallel()) return displacement_in_parallel(data, orbit->angles, axis);
    const double fan = scan.geometry.detector().pitch_u / (orbit->source_to_axis + orbit->axis_to_detector);
    return orbit->source_shift_u == 0 ? ops::pull_of_opposite_rays(data, orbit->angles, axis, fan) : 0;
  } catch (const Failure& refused) {
    if (refused.error().kind != ErrorKind::invalid) throw;
    return 0;  // too few views, less than a full turn of a cone beam
  }
}

}  // namespace tl::learn
