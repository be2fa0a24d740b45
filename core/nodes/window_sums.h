// Filtered back-projection for streams: successive windows share sums over the views that they have in common.
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

#include "core/base/grid.h"
#include "core/nodes/filtered_views.h"
#include "gpu/projection/back_projector/back_projector.h"

namespace tl {

// Name of its counter (NodeRun::count_work()): number of back-projected views.
inline constexpr std::string_view back_projected_views_count = "back-projected views";

// The views of a scan, filtered and back-projected onto a grid: [z, y, x].
//
// An image that is requested in every window of a stream is the sum of a few sums, each over successive views: sums of
// the previous window are reused if their views, geometry and weights are equal up to rounding, and if their memory is
// at most that of the views of the window. A hop then costs the back-projection of its new views. Sums are made if an
// image was also requested in the previous window and most of its views were the same; else, and for runs, learned
// geometries and ray weights, all views are back-projected at once. The results differ only by rounding.
Result<at::Tensor> filtered_back_projection(const FilterTask& task, const Projections& in, const VolumeGrid& grid,
                                            DistanceWeight distance, NodeRun& r);

}  // namespace tl
