// What the finders of the rotation axis assume, tested on the data: air beside the object, opposite views that agree,
// angles and object that stay what they are. A finder whose assumptions fail says so instead of "resolved".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/axis/opposite.h"

namespace tl::ops {

// Does the object end inside the rows? not_known: the noise hides it.
enum class RowEnds { air, object, not_known };
// Any beam; the angles only bring the views into order.
RowEnds ends_of_rows(const at::Tensor& projections, const std::vector<double>& angles);

struct AxisChecks {
  bool any_contrast = false;
  RowEnds ends = RowEnds::not_known;
  double level_at_ends = 0;  // largest mean absorption at an end, as a share of the largest column's mean
  OppositeViews opposite;
  // Centres of mass, where the rows end in air and the mass is constant: axis and one sigma.
  bool mass_known = false;
  double mass_axis = 0, mass_sigma = 0;
};

AxisChecks check_axis_data(const at::Tensor& projections, const std::vector<double>& angles,
                           const CancelToken& cancel = {});

// What a finder relies on beyond views that agree with their opposites.
enum class AxisAssumes { nothing, air };

// The scan that a result was found in, and where it was looked for.
struct AxisSearched {
  const at::Tensor& projections;
  const std::vector<double>& angles;
  AxisRange range;
  AxisChecking checking;
  CancelToken cancel;
};
// Ends a finder: railed where the axis left the range, else the checks below.
void finish_axis(AxisResult& result, const AxisSearched& searched, AxisAssumes assumes);

// Leaves a result resolved only where what the finder assumes holds and another method agrees; widens its sigma by what
// they differ by. The reasons are added to the explanation. Verdicts other than resolved stay.
void apply_axis_checks(AxisResult& result, const AxisChecks& checks, AxisAssumes assumes);

// Sigma of an axis that opposite views confirm: with what they differ by, what unknown errors of the angles do, and
// half of their own sigma, which holds what is restless in the scan. Nothing where they contradict it.
std::optional<double> sigma_beside(double axis, double sigma, const OppositeViews& opposite);
// How two methods go together: sigma of `own` with what the other one differs by; nothing if they contradict each other
// (more than three of their sigmas, and half a pixel).
std::optional<double> sigma_beside(double axis, double sigma, double other, double other_sigma);

}  // namespace tl::ops
