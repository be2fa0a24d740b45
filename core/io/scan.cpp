// Reads regions of a scan as tensors, in runs of consecutive frames, into reused memory.
#include "core/io/scan.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "core/io/scan_checks.h"
#include "gpu/correction/counts.h"

namespace tl::io {
namespace {

std::vector<int64_t> numbers_from(int64_t first, int64_t count) {
  std::vector<int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

}  // namespace

Result<at::Tensor> ScanReader::read(const ScanRegion& region, Samples samples) {
  TL_TRY(check_region(info(), region.views, region.rows, region.cols));
  return read_views(numbers_from(region.views.begin, region.views.size()), region.rows, region.cols, samples, {});
}

Result<at::Tensor> ScanReader::read_views(std::span<const int64_t> views, Range rows, Range cols, Samples samples,
                                          const CancelToken& cancel) {
  TL_TRY(check_region(info(), {0, 0}, rows, cols));
  TL_TRY(at::Tensor floats,
         views_.take(static_cast<int64_t>(views.size()), rows.size(), cols.size(), info().path.string()));
  if (samples == Samples::counts && holds_counts(info().pixel_type) && floats.numel() > 0) {
    const at::Tensor counts = ops::counts_in_float_memory(floats);
    const Result<void> done = fill(Frames::views, views, rows, cols, cancel, counts);
    if (done.ok()) return counts;
    if (done.error().kind != ErrorKind::unavailable) return done.error();
  }
  TL_TRY(fill(Frames::views, views, rows, cols, cancel, floats));
  return floats;
}

Result<at::Tensor> ScanReader::read_flats(Range rows, Range cols, const CancelToken& cancel) {
  return read_references(Frames::flats, info().flats, rows, cols, cancel);
}
Result<at::Tensor> ScanReader::read_darks(Range rows, Range cols, const CancelToken& cancel) {
  return read_references(Frames::darks, info().darks, rows, cols, cancel);
}

Result<at::Tensor> ScanReader::read_references(Frames kind, int64_t count, Range rows, Range cols,
                                               const CancelToken& cancel) {
  TL_TRY(check_region(info(), {0, 0}, rows, cols));
  TL_TRY(at::Tensor out, references_.take(count, rows.size(), cols.size(), info().path.string()));
  TL_TRY(fill(kind, numbers_from(0, count), rows, cols, cancel, out));
  return out;
}

std::vector<std::filesystem::path> ScanReader::files() const {
  std::vector<std::filesystem::path> all;
  for (const InputFile& file : inputs()->files()) all.push_back(file.path);
  return all;
}

// Each request is short, so that the time that a reading process is allowed for it distinguishes progress from a hang.
Result<void> ScanReader::fill(Frames kind, std::span<const int64_t> frames, Range rows, Range cols,
                              const CancelToken& cancel, const at::Tensor& out) {
  constexpr int64_t pixels_at_once = int64_t{1} << 24;
  const int64_t at_once = std::max<int64_t>(1, pixels_at_once / std::max<int64_t>(1, rows.size() * cols.size()));
  const auto count = static_cast<int64_t>(frames.size());
  const auto frame = [&](int64_t i) { return frames[static_cast<std::size_t>(i)]; };
  if (out.numel() == 0) return ok();
  discard_readings(cancel);  // those that an exception left behind
  int64_t begun = 0;
  Result<void> done = ok();
  for (int64_t i = 0; i < count && done.ok();) {
    int64_t end = i + 1;
    while (end < count && end - i < at_once && frame(end) == frame(end - 1) + 1) ++end;
    cancel.check();
    const FrameRegion region{kind, {frame(i), frame(end - 1) + 1}, rows, cols};
    const at::Tensor part = out.narrow(0, i, end - i);
    TL_TRY(const bool began, begin_reading(region, part));
    begun += began ? 1 : 0;
    // The next run is begun before the end of this one is waited for.
    if (began && begun > 1) {
      done = finish_reading(cancel);
      --begun;
    } else if (!began) {
      for (; begun > 0 && done.ok(); --begun) done = finish_reading(cancel);
      if (done.ok()) done = read_into(region, part, cancel);
    }
    i = end;
  }
  for (; begun > 0 && done.ok(); --begun) done = finish_reading(cancel);
  if (!done.ok()) discard_readings(cancel);
  return done;
}

}  // namespace tl::io
