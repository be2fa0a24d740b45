// Flat-field division on a GPU: launches the division of dark-subtracted views by interpolated flats, and its
// transpose.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "gpu/correction/flats/flat_field_math.h"

namespace tl::ops {

struct FlatFieldTables {
  const std::vector<int64_t>& shape;  // view, row, col
  const std::vector<FlatInterpolation>& views;
  const std::vector<at::Tensor>& signals;  // flat - dark of each group, [row, col]
  const std::vector<FilledPixel>& filled;
  const std::vector<int64_t>& dead_rows;
};

// data - dark -> transmission, 0 in dead rows. Tensors must be checked, float32 or float64.
at::Tensor launch_flat_field(const FlatFieldTables& parts, const at::Tensor& x);
at::Tensor launch_flat_field_transpose(const FlatFieldTables& parts, const at::Tensor& y);

}  // namespace tl::ops
