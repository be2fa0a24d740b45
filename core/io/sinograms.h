// Scans stored as sinograms, one per detector row.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::io {

// [row, view, col] into `views`, [view, row, col] of the same type (float32 or uint16); rows of `views` may lie apart.
void copy_sinograms(const at::Tensor& sinograms, const at::Tensor& views);

}  // namespace tl::io
