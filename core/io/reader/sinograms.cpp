// Copies scans that are stored as sinograms into views.
#include "core/io/reader/sinograms.h"

#include <ATen/ATen.h>

namespace tl::io {

void copy_sinograms(const at::Tensor& sinograms, const at::Tensor& views) {
  // torch supports few copies of uint16; copying the same bits as int16 works.
  const bool counts = sinograms.scalar_type() == at::kUInt16;
  const at::Tensor from = counts ? sinograms.view(at::kShort) : sinograms;
  const at::Tensor to = counts ? views.view(at::kShort) : views;
  to.copy_(from.transpose(0, 1));
}

}  // namespace tl::io
