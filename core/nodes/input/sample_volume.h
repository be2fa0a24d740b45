// Values of a volume on disk at the points of any grid.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/grid.h"
#include "core/io/volumes/volume.h"

namespace tl {

// Values of the voxels [z, y, x] on a grid at the points of another one.
using SampleVoxels = at::Tensor (*)(const at::Tensor& voxels, const VolumeGrid& from, const VolumeGrid& to);

// The nearest voxel of each point, never a mean of several; 0 outside. Halfway between two voxels the one with the
// lower index, along each axis.
at::Tensor nearest_voxels(const at::Tensor& voxels, const VolumeGrid& from, const VolumeGrid& to);
// The nearest voxels of integers, as int32: floats are exact only up to 2^24.
at::Tensor nearest_labels(const at::Tensor& numbers, const VolumeGrid& from, const VolumeGrid& to);

// Fills `out` [z, y, x], initially zero, with the values of the volume `whole` at the points of `wanted`, in parts that
// need few voxels each; points outside stay zero. Errors: as VolumeReader::read().
Result<void> sample_volume(io::VolumeReader& reader, const VolumeGrid& whole, const VolumeGrid& wanted,
                           const at::Tensor& out, SampleVoxels sample, const CancelToken& cancel);

// Limits of memory for sample_volume(), besides its output.
inline constexpr int64_t max_voxels_read = int64_t{1} << 22, max_points_sampled = int64_t{1} << 18;
inline constexpr int64_t bytes_of_sampling = 4 * max_voxels_read + 64 * max_points_sampled;

}  // namespace tl
