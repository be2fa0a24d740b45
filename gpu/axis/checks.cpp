// Checks the assumptions of the axis finders: where the rows end, whether opposite views agree, whether the mass stays
// constant; lowers verdicts accordingly.
#include "gpu/axis/checks.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/moments.h"
#include "gpu/correction/scan_noise.h"

namespace tl::ops {
namespace {

constexpr double object_level = 0.04;  // relative to the largest column mean: below it, a column counts as air
constexpr double tolerable = 0.5;      // [px] allowed difference between methods; included in sigma
constexpr double sure_of_object = 4;   // sigmas
constexpr int64_t groups_of_views = 16;
constexpr double clear_guess = 3;  // sigmas of agreement from which opposite views are a guess worth reporting,
constexpr double beyond_chance = 4, far_apart = 3;  // threshold for contradicting an axis at that distance [px]
// [px] distance at which two methods mean the same optimum, and sigma added if neither is conclusive alone.
constexpr double same_place_for_both = 1, rivalled_sigma = 0.1;
// F of a growing sinusoid in the centres of mass, and the resulting axis shift [px], that indicate motion.
constexpr double clear_growth = 8, harmful_growth = 0.3;

// Mean levels at the ends of the rows, by groups of views: a long object reaches the end in some of them only.
RowEnds row_ends(const AxisSinograms& s, double& share) {
  const int64_t n = s.views(), w = s.cols(), edge = std::max<int64_t>(2, background_edge(w));
  bool known = true, object = false;
  for (int64_t r = 0; r < s.rows(); ++r) {
    if (!s.contrast[static_cast<std::size_t>(r)]) continue;
    const at::Tensor row = s.data[r];
    const double largest = row.mean(0).max().item<double>();
    const double noise = independent_noise_level(row, at::ones_like(row));
    if (!(largest > 0)) continue;
    const int64_t groups = std::min(groups_of_views, n);
    for (int64_t g = 0; g < groups; ++g) {
      const at::Tensor part = row.slice(0, g * n / groups, (g + 1) * n / groups);
      const double sigma = noise / std::sqrt(static_cast<double>(edge * part.size(0)));
      known = known && sure_of_object * sigma < 2 * object_level * largest;
      for (const at::Tensor& end : {part.slice(1, 0, edge), part.slice(1, w - edge, w)}) {
        const double level = end.mean().item<double>();
        share = std::max(share, level / largest);
        object = object || level - sure_of_object * sigma > object_level * largest;
      }
    }
  }
  return object ? RowEnds::object : known ? RowEnds::air : RowEnds::not_known;
}

void refuse(AxisResult& r, const std::string& why) {
  r.verdict = AxisVerdict::ambiguous;
  r.explanation += " Not resolved: " + why;
}

std::string plus_minus(double value, double sigma) {
  return two_decimals(value) + " +- " + two_decimals(sigma) + " px";
}

// Because of noise it is not known where the rows end, so that no other method can confirm opposite views.
void contradict_alone(const AxisResult& mass, OppositeViews& opposite) {
  const AxisWitness views{"opposite views", opposite.axis, opposite.found ? opposite.sigma : rivalled_sigma, true};
  const double known = mass.verdict == AxisVerdict::flat ? 0 : mass.uncertainty;
  const auto other = contradicting_witness(views, {{"centres of mass", mass.axis, known, false}});
  if (!other) return;
  opposite.found = opposite.rivalled = false;
  opposite.contradicted = true;
  opposite.rival = mass.axis;
  opposite.reason = "Opposite views agree best at " + plus_minus(views.axis, views.sigma) + ", but the " +
                    other->method + " move about " + plus_minus(other->axis, other->sigma) +
                    ", and noise hides which of them are reliable.";
}

}  // namespace

std::optional<double> sigma_with_difference(double axis, double sigma, double other, double other_sigma) {
  const double apart = std::abs(axis - other), joint = std::hypot(sigma, other_sigma);
  if (apart > std::max(3 * joint, tolerable)) return {};
  return apart > joint ? std::hypot(sigma, apart) : sigma;
}

std::optional<double> sigma_with_difference(double axis, double sigma, const OppositeViews& opposite) {
  const auto combined = sigma_with_difference(axis, sigma, opposite.axis, opposite.sigma);
  if (!combined) return {};
  return std::hypot(*combined, opposite.angle_sigma, 0.5 * opposite.sigma);
}

std::optional<AxisWitness> contradicting_witness(const AxisWitness& axis, const std::vector<AxisWitness>& others) {
  std::optional<AxisWitness> against;
  for (const AxisWitness& other : others) {
    if (!(other.sigma > 0)) continue;
    const bool agrees = sigma_with_difference(axis.axis, axis.sigma, other.axis, other.sigma).has_value();
    if (agrees && other.trusted) return {};
    if (!agrees && !against) against = other;
  }
  return against;
}

RowEnds ends_of_rows(const at::Tensor& projections, const std::vector<double>& angles) {
  const AxisSinograms s = prepare_sinograms(projections.detach(), angles, Background::keep);
  double share = 0;
  return s.any_contrast() ? row_ends(s, share) : RowEnds::not_known;
}

AxisChecks check_axis_data(const at::Tensor& projections, const std::vector<double>& angles,
                           const CancelToken& cancel) {
  AxisChecks c;
  const AxisSinograms s = prepare_sinograms(projections.detach(), angles, Background::keep);
  c.any_contrast = s.any_contrast();
  if (!c.any_contrast) return c;
  c.ends = row_ends(s, c.level_at_ends);
  c.opposite = opposite_views(s, cancel);
  if (c.ends == RowEnds::not_known && (c.opposite.found || c.opposite.rivalled)) {
    MomentParams alone;
    alone.search.checking = AxisChecking::off;
    contradict_alone(axis_moments(projections.detach(), angles, alone).found, c.opposite);
  }
  if (c.ends == RowEnds::air) {
    MomentParams alone;
    alone.search.checking = AxisChecking::off;
    const MomentResult moments = axis_moments(projections.detach(), angles, alone);
    const AxisVerdict verdict = moments.found.verdict;
    const bool restless = moments.growth > clear_growth && moments.growth_shift > harmful_growth;
    c.mass_known =
        moments.mass_is_constant && !restless && (verdict == AxisVerdict::resolved || verdict == AxisVerdict::railed);
    c.mass_axis = moments.found.axis;
    c.mass_sigma = moments.found.uncertainty;
    // Over half a turn, a drift looks like a shifted axis in opposite views, but not in the views between.
    const bool half = s.angles.back() < 1.5 * pi;
    if (moments.mass_is_constant && restless && half) {
      c.opposite.found = false;
      c.opposite.contradicted = true;
      c.opposite.reason = "The centres of mass do not move in a circle: the object moved, or the angles are wrong.";
    } else if (moments.mass_is_constant && half && moments.growth > possible_growth) {
      c.opposite.angle_sigma = std::hypot(c.opposite.angle_sigma, moments.growth_shift);
      c.opposite.sigma = std::hypot(c.opposite.sigma, moments.growth_shift);
      c.mass_sigma = std::hypot(c.mass_sigma, moments.growth_shift);
    }
  }
  return c;
}

void apply_axis_checks(AxisResult& r, const AxisChecks& c, AxisAssumption assumes) {
  if (r.verdict != AxisVerdict::resolved) return;
  if (assumes == AxisAssumption::air && c.ends == RowEnds::object) {
    refuse(r,
           "the object reaches the ends of the rows (" + two_decimals(100 * c.level_at_ends) +
               " % of its largest absorption there), where this method needs air" +
               (c.opposite.found ? "; opposite views agree at " + plus_minus(c.opposite.axis, c.opposite.sigma) : "") +
               ".");
    return;
  }
  if (c.opposite.contradicted) return refuse(r, c.opposite.reason);
  if (c.opposite.found) {
    const auto sigma = sigma_with_difference(r.axis, r.uncertainty, c.opposite);
    if (!sigma) return refuse(r, "opposite views agree best at " + plus_minus(c.opposite.axis, c.opposite.sigma) + ".");
    r.uncertainty = *sigma;
    r.explanation += " Opposite views agree within " + two_decimals(std::abs(r.axis - c.opposite.axis)) + " px.";
    return;
  }
  // Opposite views agree at two positions; the other method decides which is the better one.
  if (c.opposite.rivalled && std::abs(r.axis - c.opposite.axis) <= same_place_for_both) {
    r.uncertainty = std::hypot(r.uncertainty, rivalled_sigma);
    r.explanation += " Opposite views agree best there, too.";
    return;
  }
  if (c.mass_known) {
    if (c.opposite_contradicts(r.axis))
      return refuse(r, "opposite views agree better, though not clearly, at " + two_decimals(c.opposite.axis) + " px.");
    const auto sigma = sigma_with_difference(r.axis, r.uncertainty, c.mass_axis, c.mass_sigma);
    if (!sigma) return refuse(r, "the centres of mass rotate about " + plus_minus(c.mass_axis, c.mass_sigma) + ".");
    r.uncertainty = *sigma;
    r.explanation += " The centres of mass agree within " + two_decimals(std::abs(r.axis - c.mass_axis)) + " px.";
    return;
  }
  refuse(r, c.opposite.reason);
}

bool AxisChecks::opposite_contradicts(double axis) const {
  return !opposite.found && opposite.significance > beyond_chance && std::abs(opposite.axis - axis) > far_apart;
}

std::vector<double> AxisChecks::other_positions() const {
  std::vector<double> all;
  if (opposite.found || opposite.significance > clear_guess) all.push_back(opposite.axis);
  if (opposite.rival) all.push_back(*opposite.rival);
  if (mass_known) all.push_back(mass_axis);
  return all;
}

void finish_axis(AxisResult& r, const SearchedScan& in, AxisAssumption assumes) {
  if (in.checking == AxisChecking::off) return;
  if (r.verdict != AxisVerdict::resolved) return widen_ambiguous(r);
  if (r.axis < in.range.low || r.axis > in.range.high) {
    r.verdict = AxisVerdict::railed;
    r.explanation += " The axis lies outside the search range: widen it.";
    return;
  }
  const AxisChecks checks = check_axis_data(in.projections, in.angles, in.cancel);
  apply_axis_checks(r, checks, assumes);
  widen_ambiguous(r, checks.other_positions());
}

}  // namespace tl::ops
