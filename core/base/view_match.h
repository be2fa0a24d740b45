// view_match: which view of one scan shows the same rays as a view of another scan.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/geometry.h"

namespace tl {

// Rays whose distance at either end of the rows is larger than this are different rays [px].
constexpr double same_ray_distance = 0.5;

// For each view of `one`, that view of `other` whose rays are the same but for a shift along the axis: the direction of
// the beam, the columns and the lean of the detector agree within same_ray_distance; full turns do not count. Both
// scans are parallel beams with equal columns. The scans may be recorded in different orders, and angles may repeat:
// views are paired one to one, those of equal number first. Errors: invalid; numbers of views, beams, columns or pixel
// sizes that differ, or the first view without a partner, with its angle and that of the nearest view.
Result<std::vector<int64_t>> matching_views(const ScanGeometry& one, const ScanGeometry& other);

}  // namespace tl
