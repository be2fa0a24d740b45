// Searches rows for stripes, and compares pairs of equal ones with the rotation axis.
#include "gpu/axis/ring_search.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "gpu/axis/automatic.h"
#include "gpu/axis/moments.h"
#include "gpu/correction/stripes/dead.h"

namespace tl::ops {
namespace {

constexpr double similar = 0.2;       // relative tolerance of the areas of the two walls
constexpr double as_sharp = 0.35;     // share of the sharper wall's curvature; columns sample both walls differently
constexpr double wall_inside = 0.1;   // absorption just inside a wall minus that outside, relative to the wall's height
constexpr double wall_fall = 0.06;    // fall from two to four columns inside the highest column, relative to its height
constexpr double next_to_axis = 1.1;  // [px] how far the middle between two walls may be from the axis
constexpr double sure_of_ring = 3;    // sigmas of the axis
constexpr double min_transmission = 1e-6;
constexpr int64_t wall_reach = 4;  // columns on either side of a stripe that its wall may cover

// The part of a profile above the straight line between the ends of an interval.
struct Bump {
  double area = 0, centre = 0, height = 0;
  double rise = 0;   // last value minus the first one
  int64_t peak = 0;  // column of the height
  double bend = 0;   // largest negative second difference: the edge of the wall, if the object around is smooth
};

Bump bump_of(const double* profile, int64_t first, int64_t last) {
  Bump b;
  b.rise = profile[last] - profile[first];
  for (int64_t c = first; c <= last; ++c) {
    const double share = static_cast<double>(c - first) / static_cast<double>(last - first);
    const double above = profile[c] - profile[first] - share * b.rise;
    b.area += above;
    b.centre += above * static_cast<double>(c);
    if (above > b.height) b.peak = c;
    b.height = std::max(b.height, above);
    if (c > first && c < last) b.bend = std::max(b.bend, 2 * profile[c] - profile[c - 1] - profile[c + 1]);
  }
  b.centre = b.area > 0 ? b.centre / b.area : 0;
  return b;
}

// Whether the profile of a row, its median over the views, shows the wall of a tube around this axis at the stripe: an
// equal wall on the other side of the axis, and more absorption inside both than outside.
bool is_wall(const std::vector<double>& profile, const Stripe& s, double axis, double sigma) {
  if (s.begin + s.end < 0) return false;  // absorbs less than its neighbours
  const auto cols = static_cast<int64_t>(profile.size());
  const double centre = static_cast<double>(s.first) + 0.5 * static_cast<double>(s.count - 1);
  const int64_t half = (s.count + 1) / 2 + wall_reach, here = std::llround(centre);
  const int64_t there = std::llround(2 * axis - centre);
  if (std::min(here, there) < half || std::max(here, there) + half + 4 >= cols || std::abs(here - there) <= 2 * half)
    return false;
  // The two walls are sampled differently by the columns: each is compared about its own centre.
  const auto centre_near = [&](int64_t at) {
    const Bump around = bump_of(profile.data(), at - half, at + half);
    return around.area > 0 ? std::llround(around.centre) : at;
  };
  const int64_t first = centre_near(std::min(here, there)), second = centre_near(std::max(here, there));
  if (first < half || second + half >= cols || second - first <= 2 * half) return false;
  const Bump left = bump_of(profile.data(), first - half, first + half);
  const Bump right = bump_of(profile.data(), second - half, second + half);
  if (!(left.area > 0 && right.area > 0)) return false;
  if (std::min(left.bend, right.bend) < as_sharp * std::max(left.bend, right.bend)) return false;
  if (std::abs(left.area - right.area) > similar * std::max(left.area, right.area)) return false;
  if (std::abs(0.5 * (left.centre + right.centre) - axis) > next_to_axis + sure_of_ring * sigma) return false;
  // Inside its wall, the absorption of a tube decreases with the distance from it; that of a body with a stripe does
  // not.
  const auto falls = [&](const Bump& b, int64_t inwards) {
    const double fall = profile[static_cast<std::size_t>(b.peak + 2 * inwards)] -
                        profile[static_cast<std::size_t>(b.peak + 4 * inwards)];
    return static_cast<double>(inwards) * b.rise > wall_inside * b.height && fall > wall_fall * b.height;
  };
  return falls(left, 1) && falls(right, -1);
}

struct KnownAxis {
  double column, sigma;
};

// Possible positions of the axis of the rows, if clear: with stripes, and with stripes and walls interpolated.
std::vector<KnownAxis> axes_of(const at::Tensor& absorption, const RingSearch& found, const RingGeometry& geometry,
                               const CancelToken& cancel) {
  const int64_t cols = absorption.size(2);
  std::vector<at::Tensor> rows;
  for (std::size_t r = 0; r < found.rows.size(); ++r)
    rows.push_back(
        interpolated_columns(absorption.select(1, static_cast<int64_t>(r)), striped_columns(found.rows[r], cols)));
  std::vector<KnownAxis> known;
  const auto add = [&](const AxisResult& r) {
    if (r.verdict == AxisVerdict::resolved)
      known.push_back({r.axis + 0.5 * static_cast<double>(cols - 1), r.uncertainty});
  };
  AxisSearch search;
  search.reach = 0.5 * static_cast<double>(cols);
  search.cancel = cancel;
  for (const at::Tensor& x : {at::stack(rows, 1), absorption}) {
    try {
      MomentParams m;
      m.search = search;
      // In a tube around the axis only the centre of mass moves; the checks of the axis need other motion.
      m.search.checking = AxisChecking::off;
      const std::size_t before = known.size();
      if (geometry.fan_per_column == 0) add(axis_moments(x, geometry.angles, m).found);
      if (known.size() == before)
        add(axis_automatic(x, geometry.angles, {search, geometry.fan_per_column, AxisStripes::left}).found);
    } catch (const Failure& refused) {  // too few views, or angles that no method can use
      if (refused.error().kind != ErrorKind::invalid) throw;
    }
  }
  return known;
}

std::vector<uint8_t> tube_walls(const at::Tensor& absorption, const RingSearch& found, const RingGeometry& geometry,
                                const CancelToken& cancel) {
  const int64_t cols = absorption.size(2);
  std::vector<uint8_t> walls(static_cast<std::size_t>(cols), 0);
  const bool any = std::any_of(found.rows.begin(), found.rows.end(), [](const auto& row) { return !row.empty(); });
  // With a single row, no stripe is taken for an object that extends through all rows.
  if (!any || found.rows.size() < 2 || geometry.angles.empty()) return walls;
  std::vector<std::vector<double>> profiles;
  for (int64_t r = 0; r < absorption.size(1); ++r) {
    const at::Tensor median = std::get<0>(absorption.select(1, r).to(at::kDouble).median(0)).contiguous();
    profiles.emplace_back(median.const_data_ptr<double>(), median.const_data_ptr<double>() + cols);
  }
  const std::vector<KnownAxis> axes = axes_of(absorption, found, geometry, cancel);
  const auto is_wall_in_all_rows = [&](const Stripe& s) {
    return std::any_of(axes.begin(), axes.end(), [&](const KnownAxis& axis) {
      return std::all_of(profiles.begin(), profiles.end(), [&](const std::vector<double>& profile) {
        return is_wall(profile, s, axis.column, axis.sigma);
      });
    });
  };
  for (const auto& row : found.rows)
    for (const Stripe& s : row)
      if (is_wall_in_all_rows(s)) std::fill_n(walls.begin() + s.first, s.count, uint8_t{1});
  // Other rows may have their stripes one column further out.
  return with_neighbour_columns(walls);
}

}  // namespace

RingGeometry ring_geometry(const ScanGeometry& geometry) {
  const auto orbit = geometry.orbit();
  if (!orbit || !orbit->is_nominal() || orbit->tilt != 0 || orbit->lamino != 0) return {};
  const double distance = orbit->source_to_axis + orbit->axis_to_detector;
  return {orbit->angles, orbit->beam == Beam::parallel ? 0 : geometry.detector().pitch_u / distance};
}

RingSearch find_rings(const at::Tensor& projections, const RingGeometry& geometry, const StripeRemovalSpec& spec) {
  RingSearch s;
  const at::Tensor plain = projections.detach().cpu();
  for (int64_t row = 0; row < plain.size(1); ++row) {
    spec.cancel.check();
    s.rows.push_back(stripes_of_row(plain.select(1, row), spec));
  }
  const at::Tensor absorption = spec.model == StripeModel::gain ? -plain.clamp_min(min_transmission).log() : plain;
  s.walls = tube_walls(absorption, s, geometry, spec.cancel);
  s.summary = summary_of(s.rows, s.walls);
  s.rings = are_rings(s.summary, spec);
  return s;
}

at::Tensor rows_without_rings(const at::Tensor& absorption, const RingGeometry& geometry, const CancelToken& cancel) {
  // Pixels that are not finite are the finders' own matter.
  if (absorption.numel() == 0 || !at::isfinite(absorption).all().item<bool>()) return absorption;
  StripeRemovalSpec spec = automatic_stripe_removal(absorption.size(2), StripeModel::offset);
  spec.order = angle_order(geometry.angles);
  spec.cancel = cancel;
  const RingSearch search = find_rings(absorption, geometry, spec);
  if (!search.rings) return absorption;
  spec.spared = search.walls;
  return remove_stripes(absorption.detach(), spec).or_throw().projections;
}

}  // namespace tl::ops
