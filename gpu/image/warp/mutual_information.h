// Mutual information of two images as a function of the values of one of them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"

namespace tl::ops {

// D. Mattes et al., IEEE Trans. Med. Imaging 22, 120 (2003): a joint histogram of `bins` x `bins`, into which values of
// `changing` enter by cubic B-splines and those of `fixed` as they are.
struct MutualInformation {
  at::Tensor fixed;          // any shape; float32
  at::Tensor counts;         // bool, of the same shape: the voxels that are compared
  double low = 0, high = 1;  // the range of `changing`: values outside are clipped to it
  int64_t bins = 32;
  CancelToken cancel;
};
// 0-dim float64, in nats, differentiable with respect to `changing` (float32 or float64). The same bits for any number
// of threads.
at::Tensor mutual_information(const at::Tensor& changing, const MutualInformation& with);

}  // namespace tl::ops
