// Detector counts as a file holds them: uint16 [view, row, col] in the place of floats.
//
// Counts that are going to be floats lie in the memory of these, those of a view in the second half of its floats. Who
// turns a view into floats from its first pixel on has read every count when its memory is written to.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::ops {

// Room for counts in the memory of contiguous float32 [view, row, col]; writing to one spoils the other.
at::Tensor counts_within(const at::Tensor& floats);

// The floats in whose memory counts lie as counts_within() says; undefined where they lie otherwise.
at::Tensor floats_around(const at::Tensor& counts);

}  // namespace tl::ops
