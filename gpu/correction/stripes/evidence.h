// Detection of stripes in a sinogram: which columns, of what kind and strength, tested against noise and object.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace tl::ops {

// level: the columns are off by much the same amount in all views.
// partial: off in part of the views only, or by a changing amount.
// unsteady: the columns vary from view to view unlike their neighbours (more: fluctuating; less: unresponsive).
// unrelated: the columns do not follow the signal of their neighbours.
enum class StripeKind { level, partial, unsteady, unrelated };

struct Stripe {
  int64_t first = 0, count = 1;  // columns
  StripeKind kind = StripeKind::level;
  // Deviation of the values at the first and the last column; 0 unless the kind is level or partial.
  double begin = 0, end = 0;
  // Deviation over its usual size in the surroundings (noise of the median over the views, or effect of the object).
  double strength = 0;
};

struct StripeSearch {
  double limit = 8.5;   // least strength of a stripe; higher for wide stripes, twice as high in parts of the views
  int64_t widest = 25;  // largest width [columns] of level stripes
  std::vector<uint8_t> spared = {};  // one entry per column, or empty: no stripes where it is not 0
  std::vector<double> angles = {};   // of the views [rad], ascending, or empty: in equal steps
};

// Stripes of one sinogram [view, col], ordered by their first column; they do not overlap. The effect of the object on
// a fixed pair of neighbouring columns lasts for few views, that of the detector stays. Therefore the step between two
// columns is measured as its median over the views (all views, and overlapping thirds), minus its trend over the
// columns around: object edges nearly cancel, a stripe leaves a step up and a step down of equal height. Steps without
// a partner within `widest` columns, or that continue inside the pair like the flank of a round body, are attributed to
// the object. Columns that are not finite, that vary unlike their neighbours, or whose difference from their neighbours
// varies unlike theirs, are detected by medians of these variations. To exclude what edges leave in a median over few
// views, the height of a stripe must persist in most of its views, and a partial stripe must exceed edges next to it
// and 0.3 % of the largest value, and needs 120 views at least. In views without noise, only stripes of the detector
// are thus found; where counts are rounded, a stripe must exceed that too.
//
// A round body on the rotation axis that is a few columns wide has the same two steps in all views: from a single
// sinogram it cannot be distinguished from a stripe. Fewer than 16 views or 16 columns: no stripes. float32 or float64
// on the CPU. Views are in the order of their angles: neighbours in time would differ by more than the object's edges.
// Cost: a pass over the sinogram, and some twenty medians over at most 399 blocks of views per column.
std::vector<Stripe> find_stripes(const at::Tensor& sinogram, const StripeSearch& search = {});

struct ColumnNumbers;
struct ViewDifferences;

// The same search of one sinogram after the other, each of which can be searched again after some columns were
// corrected: only these are then read.
class StripeFinder {
 public:
  explicit StripeFinder(StripeSearch search) : search_(std::move(search)) {}

  std::vector<Stripe> stripes(const at::Tensor& sinogram);
  // Of the sinogram of the call before, in which the columns where `changed` is 1 have new values.
  std::vector<Stripe> stripes_after(const at::Tensor& sinogram, const std::vector<uint8_t>& changed);

 private:
  [[nodiscard]] std::vector<Stripe> found() const;

  StripeSearch search_;
  std::shared_ptr<const ViewDifferences> views_;  // of the sinogram before, if any
  std::shared_ptr<ColumnNumbers> numbers_;        // none: too few views or columns
};

// One entry per column, 1 in a stripe.
std::vector<uint8_t> striped_columns(const std::vector<Stripe>& stripes, int64_t cols);

}  // namespace tl::ops
