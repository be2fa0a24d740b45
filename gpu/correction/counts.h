// Raw uint16 detector counts [view, row, col] stored within the memory of the float32 projections to which they will be
// converted.
//
// The counts of a view occupy the second half of the view's float memory. Converting a view in place, starting at its
// first pixel, thus reads every count before overwriting it.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::ops {

// A uint16 tensor within the memory of contiguous float32 [view, row, col]; writing to one tensor invalidates the
// other.
at::Tensor counts_in_float_memory(const at::Tensor& floats);

// The float tensor whose memory contains counts as arranged by counts_in_float_memory(); undefined for other counts.
at::Tensor floats_of_counts(const at::Tensor& counts);

}  // namespace tl::ops
