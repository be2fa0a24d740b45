// The filtered views of a window of a stream, of which each is filtered once, however many windows it is in.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/base/region.h"
#include "core/nodes/filtered_views.h"
#include "core/values/hash.h"

namespace tl {

// Images of a window have this margin, also those that do not need it, and so share their views.
inline constexpr int64_t window_row_margin = 1;

// By view: `contents`, a digest of all that the filtered view follows from; `views` [row, col], filtered at a pitch of
// 1 and without the weight of its angle, `weights`, by which it is multiplied: angle [rad] over pitch [mm].
struct WindowViews {
  std::vector<Hash> contents;
  std::vector<std::shared_ptr<at::Tensor>> views;
  std::vector<double> weights;
};

// Views that earlier windows had are found by Projections::contents, which must not be empty; the others are filtered,
// and kept. Rays have equal weights. `views` is empty if some need other views of the window: dead views are filled.
Result<WindowViews> window_views(const FilterTask& task, const Projections& in, NodeRun& r);

// Some of them times their weights, with the outermost rows repeated: [view, row + 2 margin, col]. Up to rounding what
// filtering gives after weighting and repeating: the filter is linear, and acts on each row.
at::Tensor weighted_views(const WindowViews& window, Range views, int64_t row_margin);

}  // namespace tl
