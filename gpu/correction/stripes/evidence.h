// Detection of stripes in a sinogram: their columns, kind and strength, tested against noise and object.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace tl::ops {

// level: the columns deviate by nearly the same amount in all views. partial: they deviate in part of the views
// only, or by a varying amount. unsteady: their variation from view to view differs from that of their
// neighbours (more: fluctuating; less: unresponsive). unrelated: the columns are not correlated with their
// neighbours.
enum class StripeKind { level, partial, unsteady, unrelated };

struct Stripe {
  int64_t first = 0, count = 1;  // columns
  StripeKind kind = StripeKind::level;
  // Deviation of the values at the first and the last column; 0 unless the kind is level or partial.
  double begin = 0, end = 0;
  // Deviation relative to its usual size in the surroundings (noise of the median over the views, or effect of the
  // object).
  double strength = 0;
};

struct StripeSearch {
  double limit = 8.5;   // smallest strength of a stripe; higher for wide stripes, twice as high in part of the views
  int64_t widest = 25;  // largest width [columns] of level stripes
  std::vector<uint8_t> spared = {};  // one entry per column, or empty: columns with a non-zero entry are never stripes
  std::vector<double> angles = {};   // of the views [rad], ascending; empty: equal steps
};

// Stripes of one sinogram [view, col], ordered by their first column; they do not overlap. The effect of the object on
// a fixed pair of neighbouring columns lasts for few views, that of the detector is permanent. Therefore the step
// between two columns is measured as its median over the views (all views, and overlapping thirds), minus its trend
// over the columns around: object edges nearly cancel, a stripe causes a step up and a step down of equal height. Steps
// without a partner within `widest` columns, or that continue inside the pair like the flank of a round body, are
// attributed to the object. Columns with non-finite values, or whose variation or difference from their neighbours
// varies differently from that of their neighbours, are detected by medians of these variations. To exclude effects of
// edges on a median over few views, the height of a stripe must be the same in most of its views, and a partial stripe
// must exceed edges next to it and 0.3 % of the largest value, and needs at least 120 views. In views without noise,
// only stripes of the detector are thus found; if counts are rounded, a stripe must exceed that effect too.
//
// A round body on the rotation axis that is a few columns wide has the same two steps in all views: from a single
// sinogram it cannot be distinguished from a stripe. Fewer than 16 views or 16 columns: no stripes. float32 or float64
// on the CPU. Views must be sorted by angle: neighbours in time would differ by more than the object's edges. Cost: a
// pass over the sinogram, and about twenty medians over at most 399 blocks of views per column.
std::vector<Stripe> find_stripes(const at::Tensor& sinogram, const StripeSearch& search = {});

struct ColumnNumbers;
struct ViewDifferences;

// Searches one sinogram after the other; each can be searched again after some columns were corrected: only these are
// then read.
class StripeFinder {
 public:
  explicit StripeFinder(StripeSearch search) : search_(std::move(search)) {}

  std::vector<Stripe> stripes(const at::Tensor& sinogram);
  // For the sinogram of the previous call, after columns with `changed` = 1 got new values.
  std::vector<Stripe> stripes_after(const at::Tensor& sinogram, const std::vector<uint8_t>& changed);

 private:
  [[nodiscard]] std::vector<Stripe> found() const;

  StripeSearch search_;
  std::shared_ptr<const ViewDifferences> views_;  // of the previous sinogram, if any
  std::shared_ptr<ColumnNumbers> numbers_;        // null: too few views or columns
};

// One entry per column, 1 inside a stripe.
std::vector<uint8_t> striped_columns(const std::vector<Stripe>& stripes, int64_t cols);

}  // namespace tl::ops
