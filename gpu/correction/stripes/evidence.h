// Which columns of a sinogram carry a stripe, of what kind, how strong: evidence against noise and object.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/error.h"

namespace tl::ops {

// level: the columns are off by much the same in all views. partial: in a part of the views, or by an amount that
// changes. unsteady: they vary from view to view unlike their neighbours (more: fluctuating; less: no answer).
// unrelated: they do not follow what their neighbours see.
enum class StripeKind { level, partial, unsteady, unrelated };

struct Stripe {
  int64_t first = 0, count = 1;  // columns
  StripeKind kind = StripeKind::level;
  // How much the values are off at the first and at the last column; 0 where the kind is neither level nor partial.
  double begin = 0, end = 0;
  // Of the deviation over its usual size around: noise of the median over the views, or what the object does.
  double strength = 0;
};

struct StripeSearch {
  double limit = 8.5;   // strength from which something is a stripe; more for wide ones, twice for parts of the views
  int64_t widest = 25;  // columns of a stripe that is off in level, at most
  std::vector<uint8_t> spared = {};  // one entry per column, or none: where it is not 0, nothing is a stripe
};

// Stripes of one sinogram [view, col], by their first column; they do not overlap. What an object does to a fixed pair
// of neighbouring columns passes within few views, what a detector does stays. So the step between two columns is taken
// as the median over the views (all, and overlapping thirds), less its trend over the columns around: an object with
// edges leaves next to nothing, a stripe leaves a step up and a step down of one height. Steps that have no partner
// within `widest` columns, or that go on inside the pair like the flank of a round body, are the object's. Columns that
// are not finite, that vary unlike their neighbours, or whose difference from their neighbours varies unlike theirs,
// are found by medians of those variations. What an edge leaves in a median over few views is no evidence: the height
// of a stripe must stay in most of its views, and one in a part of the views must exceed edges beside it, 0.3 % of the
// largest value, and have 120 views at least. So views without noise hold stripes only where a detector put them.
//
// A round body on the rotation axis that is a few columns wide has the same two steps in all views: no method that
// looks at one sinogram can tell it from a stripe. Fewer than 16 views or 16 columns: none. float32 or float64 on the
// processor. Cost: some ten medians over at most 720 (groups of) views per column.
std::vector<Stripe> find_stripes(const at::Tensor& sinogram, const StripeSearch& search = {});

// The columns of pairs of stripes of one width, height and sign that lie in all of these rows (two at least) at the
// same columns: the two walls of a tube around the rotation axis. Stripes of the detector differ from row to row.
std::vector<uint8_t> tube_walls(const std::vector<std::vector<Stripe>>& rows, int64_t cols);

// One entry per column, 1 in a stripe.
std::vector<uint8_t> striped_columns(const std::vector<Stripe>& stripes, int64_t cols);

}  // namespace tl::ops
