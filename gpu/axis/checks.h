// Tests of the assumptions of the axis finders: air around the object, agreement of opposite views, constant angles and
// object. A finder whose assumptions fail does not report "resolved".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/axis/opposite.h"

namespace tl::ops {

// Whether the object ends inside the rows. not_known: noise is too strong.
enum class RowEnds { air, object, not_known };
// For any beam; the angles are only used to sort the views.
RowEnds ends_of_rows(const at::Tensor& projections, const std::vector<double>& angles);

struct AxisChecks {
  bool any_contrast = false;
  RowEnds ends = RowEnds::not_known;
  double level_at_ends = 0;  // largest mean absorption at an end, relative to the largest column mean
  OppositeViews opposite;
  // Result of the centres of mass, if the rows end in air and the mass is constant: axis and one sigma.
  bool mass_known = false;
  double mass_axis = 0, mass_sigma = 0;
  // Whether opposite views that are not resolved are still clear enough to contradict another method's axis.
  [[nodiscard]] bool opposite_contradicts(double axis) const;
  // The axis positions of other methods, reliable or not.
  [[nodiscard]] std::vector<double> other_positions() const;
};

AxisChecks check_axis_data(const at::Tensor& projections, const std::vector<double>& angles,
                           const CancelToken& cancel = {});

// Assumptions of a finder in addition to the agreement of opposite views.
enum class AxisAssumption { nothing, air };

// The scan and the search range of a result.
struct SearchedScan {
  const at::Tensor& projections;
  const std::vector<double>& angles;
  AxisRange range;
  AxisChecking checking;
  CancelToken cancel;
};
// Last step of a finder: verdict railed if the axis is outside the range, otherwise the checks below. The uncertainty
// of an ambiguous result becomes the spread of its candidates.
void finish_axis(AxisResult& result, const SearchedScan& searched, AxisAssumption assumes);

// Keeps the verdict resolved only if the finder's assumptions hold and another method agrees; increases its sigma by
// their difference. Adds the reasons to the explanation. Other verdicts are not changed.
void apply_axis_checks(AxisResult& result, const AxisChecks& checks, AxisAssumption assumes);

// The axis found by a method. trusted: its optimum is clear and its assumptions are known to hold.
struct AxisWitness {
  std::string method;
  double axis = 0, sigma = 0;  // [px]
  bool trusted = false;
};
// The first of the other methods that contradicts an axis (see sigma_with_difference()), if the axis must not be called
// resolved because of it: one method alone does not outweigh others, trusted or not; together with a trusted one that
// agrees it does. An axis without a sigma contradicts none.
std::optional<AxisWitness> contradicting_witness(const AxisWitness& axis, const std::vector<AxisWitness>& others);

// Sigma of an axis confirmed by opposite views, including their difference, the effect of unknown angular errors, and
// half of their own sigma, which accounts for disturbances in the scan. nullopt if opposite views contradict the axis.
std::optional<double> sigma_with_difference(double axis, double sigma, const OppositeViews& opposite);
// Sigma of the first axis, including its difference from the other; nullopt if the two contradict each other (differ by
// more than three of their sigmas and half a pixel).
std::optional<double> sigma_with_difference(double axis, double sigma, double other, double other_sigma);

}  // namespace tl::ops
