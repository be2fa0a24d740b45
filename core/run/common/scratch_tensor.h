// scratch_tensor(): a tensor in a memory-mapped file that has no name.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/base/error.h"

namespace tl {

// In the folder TMPDIR, else /var/tmp. The disk space is freed with the tensor. An error if the disk is too
// full.
Result<at::Tensor> scratch_tensor(at::IntArrayRef shape, at::ScalarType dtype);

}  // namespace tl
