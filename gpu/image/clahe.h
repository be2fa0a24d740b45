// Contrast limited adaptive histogram equalisation of slices.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

struct ClaheSpec {
  int64_t tile_y = 64, tile_x = 64;  // edges of a tile in voxels
  // The largest share of a tile's voxels in one bin; the excess is distributed over the other bins. The steepest
  // slope of the grey-value map is this times the number of bins; up to 1 / bins nothing changes, and 1 means no
  // limit.
  double clip_limit = 0.01;
  int64_t bins = 256;
  double low = 0, high = 1;  // values outside are clipped to these
  CancelToken cancel;
};

// Processes every slice of [z, y, x] separately: float32 or float64, in CPU memory. Each tile has its own map of grey
// values from [low, high] onto itself, the fraction of its voxels up to a value; a voxel is mapped by the maps of the
// four tiles around it, interpolated between their centres, and beyond these by the nearest one. Non-finite values are
// not part of histograms, and stay unchanged. Errors: invalid for shapes, types, and a spec without range, tile or
// bins.
//
// K. Zuiderveld, Contrast limited adaptive histogram equalization, Graphics Gems IV, 474 (1994). Like scikit-image's
// equalize_adapthist, with these differences: the last tiles are extended by mirroring with the edge voxel repeated
// (there once); bins divide [low, high] equally (there 16384 grey levels); the map is linear within a bin (there a
// staircase, at its upper edges); the excess is distributed until no bin exceeds the limit, exactly (there in rounds
// that can add up to a voxel to each bin, so that small tiles become brighter); centres of tiles are their middles
// (there half a voxel or a voxel further); the result has the range [low, high] (there 0 to 1).
Result<at::Tensor> clahe(const at::Tensor& slices, const ClaheSpec& spec);

}  // namespace tl::ops
