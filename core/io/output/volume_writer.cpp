// Checks slabs and hands their slices to the writer of a format.
#include "core/io/output/volume_writer.h"

#include <ATen/ATen.h>
#include <fcntl.h>

namespace tl::io {

Result<void> VolumeWriter::write(Range z, const at::Tensor& slab) {
  TL_CHECK(z.begin == next_ && z.end <= slices_, "slabs come in ascending order");
  TL_CHECK(slab.dim() == 3 && slab.size(0) == z.size() && slab.size(1) == rows_ && slab.size(2) == cols_,
           "a slab has the grid's rows and columns");
  const at::ScalarType type = slab.scalar_type() == at::kInt ? at::kInt : at::kFloat;
  const at::Tensor plain = slab.to(at::kCPU, type).contiguous();
  for (int64_t k = 0; k < z.size(); ++k, ++next_) TL_TRY(write_slice(plain[k]));
  // Only starts writing early; the sync before the commit writes the rest and reports errors.
  if (const int file = file_in_progress(); file >= 0) (void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
  return ok();
}

Result<OutputFile> VolumeWriter::finish() {
  TL_CHECK(next_ == slices_, "finish() before the last slab");
  return complete();
}

}  // namespace tl::io
