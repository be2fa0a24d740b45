// Makes tensors that share memory: counts inside the memory of floats, and the floats that contain counts.
#include "gpu/correction/counts.h"

#include <ATen/ATen.h>

#include "core/base/error.h"

namespace tl::ops {

at::Tensor counts_in_float_memory(const at::Tensor& floats) {
  TL_CHECK(floats.dim() == 3 && floats.scalar_type() == at::kFloat && floats.is_contiguous(),
           "counts lie in contiguous float32 [view, row, col]");
  const int64_t pixels = floats.size(1) * floats.size(2);
  return at::empty({0}, at::kUInt16)
      .set_(floats.storage(), 2 * floats.storage_offset() + pixels, floats.sizes(), {2 * pixels, floats.size(2), 1});
}

at::Tensor floats_of_counts(const at::Tensor& counts) {
  if (counts.dim() != 3 || counts.scalar_type() != at::kUInt16 || counts.numel() == 0) return {};
  const int64_t pixels = counts.size(1) * counts.size(2), begin = counts.storage_offset() - pixels;
  if (begin < 0 || begin % 2 != 0 || counts.strides() != at::IntArrayRef({2 * pixels, counts.size(2), 1})) return {};
  return at::empty({0}, at::kFloat).set_(counts.storage(), begin / 2, counts.sizes(), {pixels, counts.size(2), 1});
}

}  // namespace tl::ops
