// Reading views in runs of neighbours, into memory that was used before.
#include "core/io/scan.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "core/io/scan_checks.h"
#include "gpu/ops/counts.h"

namespace tl::io {

Result<at::Tensor> ScanReader::read(const ScanRegion& region, Samples samples) {
  TL_TRY(check_region(info(), region.views, region.rows, region.cols));
  std::vector<int64_t> views(static_cast<std::size_t>(region.views.size()));
  std::iota(views.begin(), views.end(), region.views.begin);
  return read_views(views, region.rows, region.cols, samples, {});
}

Result<at::Tensor> ScanReader::read_views(std::span<const int64_t> views, Range rows, Range cols, Samples samples,
                                          const CancelToken& cancel) {
  TL_TRY(check_region(info(), {0, 0}, rows, cols));
  TL_TRY(at::Tensor floats,
         blocks_.take(static_cast<int64_t>(views.size()), rows.size(), cols.size(), info().path.string()));
  if (samples == Samples::counts && holds_counts(info().pixel_type) && floats.numel() > 0) {
    const at::Tensor counts = ops::counts_within(floats);
    const Result<void> done = fill(views, rows, cols, cancel, counts);
    if (done.ok()) return counts;
    if (done.error().kind != ErrorKind::unavailable) return done.error();
  }
  TL_TRY(fill(views, rows, cols, cancel, floats));
  return floats;
}

// Each run is short enough that a cancelled one ends soon.
Result<void> ScanReader::fill(std::span<const int64_t> views, Range rows, Range cols, const CancelToken& cancel,
                              const at::Tensor& out) {
  constexpr int64_t pixels_at_once = int64_t{1} << 22;
  const int64_t views_at_once = std::max<int64_t>(1, pixels_at_once / std::max<int64_t>(1, rows.size() * cols.size()));
  const auto count = static_cast<int64_t>(views.size());
  const auto view = [&](int64_t i) { return views[static_cast<std::size_t>(i)]; };
  for (int64_t i = 0; i < count;) {
    int64_t end = i + 1;
    while (end < count && end - i < views_at_once && view(end) == view(end - 1) + 1) ++end;
    cancel.check();
    TL_TRY(read_into({{view(i), view(end - 1) + 1}, rows, cols}, out.narrow(0, i, end - i)));
    i = end;
  }
  return ok();
}

}  // namespace tl::io
