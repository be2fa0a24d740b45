// Chooses the method for the rotation axis by the scan's geometry and data, and runs the other methods as votes.
#include "gpu/axis/automatic.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "gpu/axis/checks.h"
#include "gpu/axis/conjugate_rays.h"
#include "gpu/axis/curve.h"
#include "gpu/axis/ring_search.h"
#include "gpu/axis/wedge.h"

namespace tl::ops {
namespace {

constexpr double guess_clearness = 3;      // smallest significance of opposite views for using them as a guess
constexpr double half_acquisition = 0.6;   // fraction of common columns below which a note is added
constexpr double clear_range_error = 4.5;  // sigmas

// Result of the wedge method if its assumptions hold: air around the object, enough views.
std::optional<AxisResult> wedge_vote(const at::Tensor& projections, const std::vector<double>& angles,
                                     const AxisChecks& checks, const CancelToken& cancel) {
  if (checks.ends != RowEnds::air) return {};
  WedgeParams p;
  p.search.reach = 0.5 * static_cast<double>(projections.size(2));
  p.search.checking = AxisChecking::off;
  p.search.cancel = cancel;
  try {
    AxisResult r = axis_wedge(projections, angles, p);
    if (r.verdict != AxisVerdict::resolved) return {};
    return r;
  } catch (const Failure& refused) {
    if (refused.error().kind != ErrorKind::invalid) throw;
    return {};  // too few views
  }
}

std::string voted(const AutomaticAxis& a) {
  std::string text;
  int64_t agreeing = 0;
  for (const AxisVote& v : a.votes) {
    agreeing += v.agrees ? 1 : 0;
    text += (text.empty() ? "" : ", ") + v.method + " " + two_decimals(v.axis) + " +- " + two_decimals(v.sigma);
  }
  if (a.votes.size() < 2) return a.votes.empty() ? "" : "By " + a.votes[0].method + ".";
  return std::to_string(agreeing) + " of " + std::to_string(a.votes.size()) + " methods agree (" + text + " px).";
}

// Sets axis, sigma and verdict from the methods' results; returns why the axis is not resolved.
std::string choose(const AxisChecks& checks, const std::optional<AxisResult>& wedge, AxisResult& r) {
  const OppositeViews& opposite = checks.opposite;
  const auto take = [&r](double axis, double sigma) {
    r.axis = axis;
    r.uncertainty = sigma;
  };
  r.verdict = AxisVerdict::ambiguous;
  if (opposite.found) {
    take(opposite.axis, opposite.sigma);
    if (wedge) {
      const auto combined = sigma_with_difference(wedge->axis, wedge->uncertainty, opposite);
      if (!combined) return "Opposite views and the Fourier wedge contradict each other: the object may have moved.";
      if (*combined < opposite.sigma) {
        take(wedge->axis, *combined);
      } else {
        r.uncertainty = *sigma_with_difference(opposite.axis, opposite.sigma, wedge->axis, wedge->uncertainty);
      }
    } else if (checks.mass_known &&
               contradicting_witness({"opposite views", opposite.axis, opposite.sigma, true},
                                     {{"centres of mass", checks.mass_axis, checks.mass_sigma, true}})) {
      return "Opposite views and the centres of mass contradict each other, and no other method decides.";
    }
    r.verdict = AxisVerdict::resolved;
    return {};
  }
  if (wedge && checks.mass_known && !opposite.contradicted) {
    const auto combined = sigma_with_difference(wedge->axis, wedge->uncertainty, checks.mass_axis, checks.mass_sigma);
    take(wedge->axis, combined.value_or(wedge->uncertainty));
    if (!combined) return opposite.reason + " The Fourier wedge and the centres of mass contradict each other.";
    if (checks.opposite_contradicts(wedge->axis))
      return opposite.reason + " They agree better at " + two_decimals(opposite.axis) + " px than there.";
    r.verdict = AxisVerdict::resolved;
    return {};
  }
  // Not resolved: the best guess.
  if (opposite.significance < guess_clearness && wedge) {
    take(wedge->axis, wedge->uncertainty);
  } else {
    take(opposite.axis, opposite.sigma);
  }
  return opposite.reason;
}

// Remarks on the scan for the user.
std::string remarks(const OppositeViews& opposite, int64_t cols) {
  std::string text;
  if (!opposite.found) return text;
  if (opposite.overlap < half_acquisition * static_cast<double>(cols))
    text += " Opposite views share " + std::to_string(std::lround(opposite.overlap)) + " of " + std::to_string(cols) +
            " columns (half acquisition).";
  if (std::abs(opposite.range_error) > clear_range_error * opposite.range_sigma && opposite.range_sigma > 0)
    text += " The views seem to cover " + two_decimals(180 / pi * opposite.range_error) + " +- " +
            two_decimals(180 / pi * opposite.range_sigma) + " degrees more than their angles say.";
  return text;
}

AutomaticAxis of_parallel(const at::Tensor& projections, const std::vector<double>& angles,
                          const AutomaticAxisParams& p) {
  const AxisChecks checks = check_axis_data(projections, angles, p.search.cancel);
  const OppositeViews& opposite = checks.opposite;
  AutomaticAxis out;
  AxisResult& r = out.found;
  if (!checks.any_contrast) {
    r.explanation = verdict_sentence({}, r);
    return out;
  }
  const std::optional<AxisResult> wedge = wedge_vote(projections, angles, checks, p.search.cancel);
  r.curve_axis = opposite.candidates.empty() && wedge ? wedge->curve_axis : opposite.candidates;
  r.curve_score = opposite.candidates.empty() && wedge ? wedge->curve_score : opposite.mismatch;
  const std::string why_not = choose(checks, wedge, r);
  const auto vote = [&](const std::string& method, double axis, double sigma) {
    out.votes.push_back({method, axis, sigma, sigma_with_difference(r.axis, r.uncertainty, axis, sigma).has_value()});
  };
  if (opposite.found) vote("opposite views", opposite.axis, opposite.sigma);
  if (wedge) vote("Fourier wedge", wedge->axis, wedge->uncertainty);
  if (checks.mass_known) vote("centres of mass", checks.mass_axis, checks.mass_sigma);
  r.explanation = voted(out);
  if (r.verdict != AxisVerdict::resolved) {
    r.explanation += (r.explanation.empty() ? "Not resolved: " : " Not resolved: ") + why_not;
    std::vector<double> others = checks.other_positions();
    if (wedge) others.push_back(wedge->axis);
    widen_ambiguous(r, others);
    return out;
  }
  const AxisRange range = axis_range(p.search, projections.size(2));
  if (p.search.reach > 0 && (r.axis < range.low || r.axis > range.high)) {
    r.verdict = AxisVerdict::railed;
    r.explanation += " That lies outside the search range: widen it.";
  }
  r.explanation += remarks(opposite, projections.size(2));
  return out;
}

}  // namespace

AutomaticAxis axis_automatic(const at::Tensor& projections, const std::vector<double>& angles,
                             const AutomaticAxisParams& params) {
  const at::Tensor rows = params.stripes == AxisStripes::left
                              ? projections
                              : rows_without_rings(projections, {angles, params.fan_per_column}, params.search.cancel);
  if (params.fan_per_column == 0) return of_parallel(rows, angles, params);
  ConjugateRaysParams c;
  c.search = params.search;
  if (!(c.search.reach > 0)) c.search.reach = 0.5 * static_cast<double>(projections.size(2));
  c.fan_per_column = params.fan_per_column;
  AutomaticAxis out{axis_conjugate_rays(rows, angles, c), {}};
  out.votes.push_back({"opposite rays", out.found.axis, out.found.uncertainty, true});
  return out;
}

}  // namespace tl::ops
