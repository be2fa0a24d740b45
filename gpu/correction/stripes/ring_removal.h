// Removal of ring artefacts from reconstructed slices, in polar coordinates about the rotation axis.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

struct RingRemovalSpec {
  double centre_row = 0, centre_col = 0;  // rotation axis [voxels, index frame of the slices]
  double radius = 0;                      // [voxels] rings beyond it are unchanged; 0 = up to the nearest edge
  int64_t size = 15;  // [voxels] radial window, odd: wider than the widest ring, narrower than object features
  double arcs = 2;    // [cycles per turn] highest frequency of a ring along its circle; 0 = whole rings only
  std::optional<double> limit;  // larger deviations belong to the object; nullopt: three standard deviations
  CancelToken cancel;           // checked between slices
};

// After J. Sijbers, A. Postnov, Phys. Med. Biol. 49, N247 (2004), for each slice of [z, y, x]: the slice is sampled in
// polar coordinates (one voxel in radius, at most one along the circle), the median over `size` radii is subtracted
// along each ray, the remainder is clamped to the limit (by default 3 * 1.4826 times the median of its magnitude) and
// averaged along the circles by a Gaussian of `arcs` cycles; the resulting rings are sampled back and subtracted inside
// the mask. Only the rings are interpolated, never the slice. float32 or float64 on the CPU, differentiable except for
// the limit. A constant slice changes by no more than rounding. Errors: invalid for shapes and settings, a centre
// outside.
Result<at::Tensor> remove_rings(const at::Tensor& slices, const RingRemovalSpec& spec);

}  // namespace tl::ops
