// Interpolation of painted slices: a label in the slices between those in which it was painted.
#pragma once

#include "core/base/cancel.h"
#include "core/strokes/bricks.h"

namespace tl::strokes {

enum class SliceAxis { z, y, x };

// The voxels between each two consecutive slices across `axis` that have voxels of `number` and at least one slice
// without between them. There the shape changes evenly from one to the other: a voxel belongs to it where the signed
// distances to both outlines, weighted by how near each slice is, are negative in sum (S. P. Raya and J. K. Udupa,
// IEEE Trans. Med. Imaging 9, 1990). Shapes that do not overlap are first moved onto each other by their centres of
// mass, which then move evenly too. Only voxels that are 0 are taken: nothing that was painted is painted over.
// Cancelled: throws, as CancelToken::check().
VoxelSet between_slices(const Bricks& labels, const VolumeGrid& grid, SliceAxis axis, uint16_t number,
                        const CancelToken& cancel = {});

}  // namespace tl::strokes
