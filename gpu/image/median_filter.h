// Median filter over a box around every voxel, in slices or in the volume.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/image/line_tile.h"

namespace tl::ops {

struct MedianSpec {
  Reach reach{1, 1, 1};  // 3 x 3 x 3; with z = 0 a median in each slice
  CpuVariant variant = best_cpu_variant();
  CancelToken cancel;  // checked between tiles of 16 rows
};

// Median of the (2 z + 1)(2 y + 1)(2 x + 1) values around each voxel of [z, y, x], mirrored at the borders with the
// edge voxel repeated (c b a | a b c). float32 or float64, on CPU or GPU. Every result is one of the input values; NaN
// counts as the largest value, so that single dead voxels vanish. Boxes of 9, 25 and 27 values use a selection network
// (forgetful selection: Paeth, "Median finding on a 3x3 grid", Graphics Gems, 1990), others a bisection of the values;
// both exact. The gradient passes to the first voxel of the box with the resulting value. Errors: invalid for shapes
// and a negative reach; unavailable for devices without kernels.
Result<at::Tensor> median_filter(const at::Tensor& volume, const MedianSpec& spec);

}  // namespace tl::ops
