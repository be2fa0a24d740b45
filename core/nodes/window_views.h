// The filtered views of a window of a stream; each view is filtered once, however many windows contain it.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/base/region.h"
#include "core/nodes/filtered_views.h"
#include "core/values/hash.h"

namespace tl {

// All images of a window have this margin, even if they do not need it, so that they share filtered views.
inline constexpr int64_t window_row_margin = 1;

// By view: `contents`, a digest of everything on which the filtered view depends; `views` [row, col], filtered at a
// pitch of 1 and without angular weight; `weights`, by which each view is multiplied: angle [rad] divided by pitch
// [mm].
struct WindowViews {
  std::vector<Hash> contents;
  std::vector<std::shared_ptr<at::Tensor>> views;
  std::vector<double> weights;
};

// Views of earlier windows are found by Projections::contents, which must not be empty; the others are filtered, and
// cached. Rays have equal weights. `views` is empty if some views need others of the window, because dead views are
// filled.
Result<WindowViews> window_views(const FilterTask& task, const Projections& in, NodeRun& r);

// Some of them times their weights, with the outermost rows repeated: [view, row + 2 margin, col]. Equal, up to
// rounding, to filtering after weighting and repeating: the filter is linear, and acts on each row.
at::Tensor weighted_views(const WindowViews& window, Range views, int64_t row_margin);

}  // namespace tl
