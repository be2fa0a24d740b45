// Interpolation of painted slices: fills a label in the slices between those in which it was painted.
#pragma once

#include "core/base/cancel.h"
#include "core/strokes/bricks.h"

namespace tl::strokes {

enum class SliceAxis { z, y, x };

// The voxels between each two consecutive slices across `axis` that have voxels of `number` and at least one slice
// without between them. There the shape is interpolated: a voxel belongs to it if the sum of the signed distances to
// both outlines, weighted by the distance to the other slice, is negative (S. P. Raya and J. K. Udupa, IEEE Trans. Med.
// Imaging 9, 1990). Shapes that do not overlap are first shifted so that their centres of mass coincide; the shift is
// interpolated too. Only voxels that are 0 are returned: painted voxels are not overwritten. Cancelled: throws like
// CancelToken::check().
VoxelSet between_slices(const Bricks& labels, const VolumeGrid& grid, SliceAxis axis, uint16_t number,
                        const CancelToken& cancel = {});

}  // namespace tl::strokes
