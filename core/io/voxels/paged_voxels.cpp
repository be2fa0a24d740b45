// Reads pages from whichever files have them.
#include "core/io/voxels/paged_voxels.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/io/bytes/reader_limits.h"

namespace tl::io {

int64_t PagedVoxels::pages() const {
  int64_t count = 0;
  for (const PagedFile& f : files_) count += f.pages;
  return count;
}

Result<void> PagedVoxels::read(const GridBox& box, const at::Tensor& out) {
  constexpr double for_file = 1e-4;  // [s] to open it
  int64_t first = 0;                 // page of the file
  for (const PagedFile& f : files_) {
    const int64_t begin = std::max(box.z.begin, first), end = std::min(box.z.end, first + f.pages);
    if (begin < end) {
      allow_cpu_time_for_object(for_file);
      if (open_ != &f) {
        TL_TRY(numbers_, f.open());
        open_ = &f;
      }
      TL_TRY(numbers_->read({{begin - first, end - first}, box.y, box.x},
                            out.narrow(0, begin - box.z.begin, end - begin)));
    }
    first += f.pages;
  }
  return ok();
}

}  // namespace tl::io
