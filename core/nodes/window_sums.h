// Filtered back-projection, of which the windows of a stream share the sums over views that they have in common.
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

#include "core/base/grid.h"
#include "core/nodes/filtered_views.h"
#include "gpu/projection/back_projector/back_projector.h"

namespace tl {

// What it counts (NodeRun::count_work()): views that it back-projected.
inline constexpr std::string_view back_projected_views_count = "back-projected views";

// The views of a scan filtered and back-projected onto a grid: [z, y, x].
//
// An image that is asked for in window after window of a stream is the sum of a few sums, each over successive views:
// those that the window before had are kept, as long as their views, geometry and weights are the same up to rounding,
// and their memory is at most that of the views of the window. A hop then costs the back-projection of its new views.
// Sums are made when an image was also asked for in the window before and most of its views were the same; else, and
// for runs, learned geometries and ray weights, all views are back-projected at once. Only rounding differs.
Result<at::Tensor> filtered_back_projection(const FilterTask& task, const Projections& in, const VolumeGrid& grid,
                                            DistanceWeight distance, NodeRun& r);

}  // namespace tl
