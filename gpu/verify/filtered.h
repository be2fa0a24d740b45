// Filtered back-projection of a parallel scan in one call, for checks that need a reconstructed image.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/geometry.h"
#include "core/base/grid.h"
#include "gpu/filtering/ramp_window.h"

namespace tl::verify {

// View weights, ramp filter and back-projection of [view, row, col], in the type of the projections.
at::Tensor filtered_back_projection(const ScanGeometry& geometry, const VolumeGrid& grid, const at::Tensor& projections,
                                    ops::RampWindow window = ops::RampWindow::ram_lak);

// Distance of each voxel centre from the z axis, [z, y, x] in float64.
at::Tensor distances_from_axis(const VolumeGrid& grid);

}  // namespace tl::verify
