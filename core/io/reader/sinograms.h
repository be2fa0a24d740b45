// Copying of scans that are stored as sinograms, one per detector row.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::io {

// Copies [row, view, col] into `views`, [view, row, col] of the same type (float32 or uint16); `views` may be strided.
void copy_sinograms(const at::Tensor& sinograms, const at::Tensor& views);

}  // namespace tl::io
