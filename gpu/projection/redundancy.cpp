// Makes redundancy weights for rays that are measured once, twice or with a displaced detector, from torch operations
// so that they are differentiable with respect to a learned geometry.
#include "gpu/projection/redundancy.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/base/units.h"
#include "gpu/projection/view_weights.h"

namespace tl::ops {
namespace {

constexpr double fade = 10 * pi / 180;     // angle over which each end of the range is faded out
constexpr double clearly_displaced = 0.1;  // smallest asymmetry of the detector's sides, relative to their sum
constexpr double few_views = pi / 4;       // angle between views: a coarser scan has no usable ends
constexpr double overscan_steps = 2;       // [typical gaps] parallel beam: a smaller overlap is the repeated first view
constexpr double nearly_closed = pi / 3;   // displaced detector: a full turn may have a gap up to this size

at::Tensor vectors_of(const ScanGeometry& g) {
  return at::tensor(at::ArrayRef<double>(g.vectors()), at::kDouble).view({g.views(), 12});
}

// 2-D products of horizontal directions [view, 2] or [view, row, col, 2].
at::Tensor cross2(const at::Tensor& a, const at::Tensor& b) {
  return a.select(-1, 0) * b.select(-1, 1) - a.select(-1, 1) * b.select(-1, 0);
}
at::Tensor dot2(const at::Tensor& a, const at::Tensor& b) { return (a * b).sum(-1); }

// Signed distance of each ray from the axis, positive towards +u, [view, row, col]: in a cone beam the angle to the ray
// through the axis [rad], in a parallel beam the distance [mm].
at::Tensor next_to_axis(const at::Tensor& vectors, Beam beam, const at::Tensor& rows, const at::Tensor& cols) {
  const auto part = [&](int64_t i) { return vectors.narrow(1, 3 * i, 2).view({-1, 1, 1, 2}); };
  const at::Tensor pixel = part(1) + cols.view({1, 1, -1, 1}) * part(2) - rows.view({1, -1, 1, 1}) * part(3);
  if (beam == Beam::cone) {
    const at::Tensor inward = -part(0), ray = pixel - part(0);
    return -at::atan2(cross2(inward.expand_as(ray), ray), dot2(inward, ray));
  }
  const at::Tensor direction = part(0) / dot2(part(0), part(0)).sqrt().unsqueeze(-1);
  return cross2(pixel, direction.expand_as(pixel));
}

struct Grid {
  at::Tensor rows, cols;  // pixels from the detector centre, along -v and +u
};

// If the detector's columns are parallel to the axis, all rows are equal and only one is used.
Grid pixels(const ScanGeometry& g) {
  const auto centred = [](int64_t n) { return at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1); };
  bool upright = true;
  for (int64_t i = 0; i < g.views(); ++i)
    if (std::hypot(g.view(i).v.x, g.view(i).v.y) > 1e-9 * norm(g.view(i).v)) upright = false;
  return {upright ? at::zeros({1}, at::kDouble) : centred(g.detector().rows), centred(g.detector().cols)};
}

// How far the detector reaches beyond the axis on the negative and positive side, the smallest over all views.
struct Reach {
  double negative = 0, positive = 0;  // both > 0 if the axis lies on the detector
};
Reach reach_of(const ScanGeometry& g) {
  const double end = 0.5 * static_cast<double>(g.detector().cols - 1);
  const at::Tensor ends = at::tensor({-end, end}, at::kDouble);
  const at::Tensor x = next_to_axis(vectors_of(g), g.beam(), pixels(g).rows, ends);
  return {(-x.select(2, 0)).amin().item<double>(), x.select(2, 1).amin().item<double>()};
}

at::Tensor modulo_turn(const at::Tensor& angle) { return angle - 2 * pi * (angle.detach() / (2 * pi)).floor(); }

// Angle of each view from the begin of the covered range, [view, 1, 1].
at::Tensor from_begin(const at::Tensor& vectors, Beam beam, const ViewWeights& views) {
  const at::Tensor x = vectors.select(1, 0), y = vectors.select(1, 1);
  const at::Tensor angle = beam == Beam::parallel ? at::atan2(-x, y) : at::atan2(x, -y);
  // The begin of the range moves with the first view, as if the range were computed again.
  const at::Tensor rest = modulo_turn(angle - views.begin).detach();
  const int64_t first = rest.argmin().item<int64_t>();
  const at::Tensor turned = angle - angle[first];
  return (rest[first] + turned + 2 * pi * ((rest - rest[first] - turned.detach()) / (2 * pi)).round()).view({-1, 1, 1});
}

at::Tensor sine_square(const at::Tensor& fraction) { return (fraction * (0.5 * pi)).sin().square(); }

// Parker's weight of the ray at beta (from the begin of the range) and gamma (from the axis); its opposite ray is at
// beta + pi - 2 gamma.
at::Tensor parker_share(const at::Tensor& beta, const at::Tensor& gamma, double range) {
  constexpr double never = 1e-12;
  const double overscan = 0.5 * (range - pi);
  const at::Tensor rise = (2 * (overscan + gamma)).clamp_min(never), fall = (2 * (overscan - gamma)).clamp_min(never);
  return sine_square((beta / rise).clamp(0, 1)) * sine_square(((range - beta) / fall).clamp(0, 1));
}

at::Tensor faded(const at::Tensor& beta, double range) {
  const double width = std::min(fade, 0.5 * range);
  return sine_square((beta / width).clamp(0, 1)) * sine_square(((range - beta) / width).clamp(0, 1));
}

at::Tensor smooth_share(const at::Tensor& beta, const at::Tensor& gamma, double range) {
  const at::Tensor own = faded(beta, range);
  const at::Tensor partner = faded(modulo_turn(beta + pi - 2 * gamma), range);
  return own / (own + partner).clamp_min(1e-300);
}

std::string degrees(double angle) { return formatted("%.1f degrees", angle * 180 / pi); }

std::string share_of(double part, double whole) { return formatted("%.2g %%", 100 * part / whole); }

bool axis_upright(const ScanGeometry& g) {
  if (!g.is_parallel()) return true;
  for (int64_t i = 0; i < g.views(); ++i)
    if (std::abs(g.view(i).beam.z) > 1e-6 * norm(g.view(i).beam)) return false;
  return true;
}

bool is_displaced(const Reach& reach) {
  return std::abs(reach.positive - reach.negative) > clearly_displaced * (reach.positive + reach.negative);
}

RedundancyAdvice advise_turn(const ScanGeometry& g, const Reach& reach) {
  if (!is_displaced(reach))
    return {Redundancy::none, "a full turn with a centred detector: every view counts the same", false};
  if (!(std::min(reach.negative, reach.positive) > 0))
    return {Redundancy::none, "a full turn, but the rotation axis does not lie on the detector: the middle is missing",
            true};
  return {Redundancy::displaced,
          std::string("a full turn with a displaced detector") + (g.is_parallel() ? " (half acquisition)" : "") +
              ": rays near the axis are measured twice, the others once",
          false};
}

RedundancyAdvice advise_range(const ScanGeometry& g, const ViewWeights& views, const Reach& reach) {
  const double range = views.range();
  if (g.is_parallel()) {
    if (range <= pi + overscan_steps * views.step)
      return {Redundancy::none, "half a turn of a parallel beam: every view counts the same", false};
    return {Redundancy::parker, "a parallel beam over " + degrees(range) + ": rays at both ends are measured twice",
            false};
  }
  const double fan = std::max({reach.negative, reach.positive, 0.0}), needed = pi + 2 * fan;
  if (range >= needed - views.step)
    return {Redundancy::parker,
            "a short scan over " + degrees(range) + " (at least " + degrees(needed) +
                " are needed): rays at both ends are measured twice",
            false};
  return {Redundancy::smooth,
          "the views cover " + degrees(range) + ", a short scan with this fan needs " + degrees(needed) + ": " +
              share_of(needed - range, needed) + " of the directions are missing" +
              (range < pi ? ", values are scaled to keep the mean" : ""),
          true};
}

// Views about an axis that leans along the beam by an angle measure no frequency within this angle of the axis: for a
// ball, which has equal frequencies in all directions, 1 - cos(angle) of its value at the centre is missing.
RedundancyAdvice advise_leaning_axis(const ScanGeometry& g) {
  constexpr double notable = 1e-3;  // of the value
  const Vec3 beam = g.view(0).beam;
  const double cosine = std::hypot(beam.x, beam.y) / norm(beam), missing = 1 - cosine;
  const std::string angle = degrees(std::acos(std::min(cosine, 1.0)));
  return {Redundancy::none,
          "the axis leans along the beam by " + angle +
              ", so that directions within this angle of the axis are not measured: the value of a ball becomes " +
              share_of(missing, 1) + " too low, that of flat bodies lower still; values are not to scale",
          missing > notable};
}

// A full turn, possibly with a gap below nearly_closed.
bool nearly_full_turn(const ViewWeights& whole) {
  return whole.missing == 0 || whole.period - whole.range() < nearly_closed;
}

}  // namespace

Result<RedundancyAdvice> advise_redundancy(const ScanGeometry& geometry) {
  TL_TRY(ViewWeights views, view_weights(geometry, Turn::whole));
  if (!axis_upright(geometry)) return advise_leaning_axis(geometry);
  if (views.step > few_views)
    return RedundancyAdvice{Redundancy::none, "too few views to judge their angular range", false};
  const Reach reach = reach_of(geometry);
  if (views.missing == 0 || (is_displaced(reach) && nearly_full_turn(views))) return advise_turn(geometry, reach);
  // Parallel rays repeat after half a turn, so rays of missing views may have been measured.
  if (geometry.is_parallel() && !views.gaps.empty())
    return RedundancyAdvice{Redundancy::none, "several gaps in the angles: every view counts for the angle around it",
                            false};
  return advise_range(geometry, views, reach);
}

std::string describe_gaps(const ScanGeometry& geometry, Redundancy kind) {
  const auto views = view_weights(geometry, kind == Redundancy::none        ? Turn::by_rays
                                            : kind == Redundancy::displaced ? Turn::closed
                                                                            : Turn::whole);
  if (!views.ok() || views.value().gaps.empty()) return {};
  const ViewWeights& w = views.value();
  const ViewWeights::Gap& widest = w.gaps.front();
  const auto count = static_cast<int64_t>(w.gaps.size());
  return degrees(w.filled) + " of " + degrees(w.range()) + " (" + share_of(w.filled, w.range()) +
         ") were not measured" + (count > 1 ? ", in " + std::to_string(count) + " gaps" : "") + ", the largest of " +
         degrees(widest.angle) + " between views " + std::to_string(widest.before) + " and " +
         std::to_string(widest.after) +
         ": the neighbouring views replace the missing ones, which keeps mean values; edges along the missing "
         "directions are blurred";
}

Result<void> check_redundancy(const ScanGeometry& geometry, Redundancy kind) {
  const std::string where = "ray weights";
  if (kind == Redundancy::none) return ok();
  if (!axis_upright(geometry))
    return invalid("the rotation axis leans towards the beam", where, "Choose automatic or none");
  TL_TRY(ViewWeights views, view_weights(geometry, Turn::whole));
  if (views.step > few_views) return invalid("there are too few views", where, "Choose automatic or none");
  const Reach reach = reach_of(geometry);
  if (kind == Redundancy::displaced) {
    if (!nearly_full_turn(views))
      return invalid("a displaced detector needs views over a full turn", where, "Choose automatic or none");
    if (!(std::min(reach.negative, reach.positive) > 0))
      return invalid("the rotation axis does not lie on the detector", where, "Check the axis, or choose none");
    return ok();
  }
  if (views.missing != 1)
    return invalid("weights for the ends of a scan need one gap in its angles", where, "Choose automatic or none");
  const double fan = geometry.is_parallel() ? 0 : std::max({reach.negative, reach.positive, 0.0});
  if (kind == Redundancy::parker && views.range() < pi + 2 * fan - views.step)
    return invalid("the views cover " + degrees(views.range()) + ", Parker's weights need " + degrees(pi + 2 * fan),
                   where, "Choose automatic or none");
  return ok();
}

Result<DetectorMargins> redundancy_margins(const ScanGeometry& geometry, Redundancy kind) {
  if (kind != Redundancy::displaced) return DetectorMargins{};
  TL_TRY(check_redundancy(geometry, kind));
  constexpr double rounding = 1e-6;  // of a column
  // Number of columns by which one side of the detector extends further from the axis than the other, in the worst
  // view.
  int64_t more = 0;
  const double end = 0.5 * static_cast<double>(geometry.detector().cols - 1);
  bool before = false;
  for (int64_t i = 0; i < geometry.views(); ++i) {
    const double axis = geometry.project(i, {0, 0, 0}).col - end;  // relative to the middle of the detector
    const auto wanted = static_cast<int64_t>(std::ceil(2 * std::abs(axis) - rounding));
    if (wanted <= more) continue;
    more = wanted;
    before = axis < 0;
  }
  return before ? DetectorMargins{more, 0} : DetectorMargins{0, more};
}

ScanGeometry with_detector_margins(const ScanGeometry& geometry, const DetectorMargins& margins) {
  if (!margins.any()) return geometry;
  DetectorShape detector = geometry.detector();
  detector.cols += margins.before + margins.after;
  std::vector<double> vectors = geometry.vectors();
  const double shift = 0.5 * static_cast<double>(margins.after - margins.before);
  for (std::size_t i = 0; i < vectors.size(); i += 12)
    for (std::size_t k = 0; k < 3; ++k) vectors[i + 3 + k] += shift * vectors[i + 6 + k];
  return ScanGeometry::from_vectors(geometry.beam(), detector, vectors).or_throw();
}

at::Tensor with_detector_margins(const at::Tensor& vectors, const DetectorMargins& margins) {
  if (!vectors.defined() || !margins.any()) return vectors;
  const double shift = 0.5 * static_cast<double>(margins.after - margins.before);
  return at::cat(
      {vectors.narrow(1, 0, 3), vectors.narrow(1, 3, 3) + shift * vectors.narrow(1, 6, 3), vectors.narrow(1, 6, 6)}, 1);
}

Result<at::Tensor> redundancy_weights(const ScanGeometry& geometry, Redundancy kind, const at::Tensor& vectors) {
  TL_CHECK(kind != Redundancy::none, "no weights of rays are wanted");
  TL_TRY(check_redundancy(geometry, kind));
  TL_TRY(ViewWeights views, view_weights(geometry, kind == Redundancy::displaced ? Turn::closed : Turn::whole));
  const at::Tensor v = vectors.defined() ? vectors : vectors_of(geometry);
  const Grid grid = pixels(geometry);
  const at::Tensor gap = at::tensor(at::ArrayRef<double>(views.weights), at::kDouble).view({-1, 1, 1});
  const at::Tensor x = next_to_axis(v, geometry.beam(), grid.rows, grid.cols);
  if (kind == Redundancy::displaced) {
    const at::Tensor negative = (-x.select(2, 0)).amin(), positive = x.select(2, -1).amin();
    const at::Tensor near = at::minimum(negative, positive);
    const double side = negative.item<double>() < positive.item<double>() ? 1 : -1;
    return gap * 0.5 * (1 + ((side * x / near).clamp(-1, 1) * (0.5 * pi)).sin());
  }
  // In a parallel beam opposite rays are exactly half a turn apart.
  const at::Tensor gamma = geometry.is_parallel() ? at::zeros_like(x.narrow(2, 0, 1)) : x;
  const at::Tensor beta = from_begin(v, geometry.beam(), views);
  if (kind == Redundancy::parker) return gap * parker_share(beta, gamma, views.range());
  // Less than half a turn lacks directions everywhere: scaling keeps the mean of round objects right.
  return gap * std::max(1.0, pi / views.range()) * smooth_share(beta, gamma, views.range());
}

}  // namespace tl::ops
