// Reads regions of a scan as tensors, in runs of consecutive frames, into reused memory.
#include "core/io/reader/scan.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/io/reader/scan_checks.h"
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

Result<at::Tensor> ScanReader::take_views(std::size_t count, Range rows, Range cols) {
  return views_.take(static_cast<int64_t>(count), rows.size(), cols.size(), info().path.string());
}

Result<at::Tensor> ScanReader::read_views(std::span<const int64_t> views, Range rows, Range cols, Samples samples,
                                          const CancelToken& cancel) {
  TL_TRY(check_region(info(), {0, 0}, rows, cols));
  if (auto ahead = std::exchange(ahead_, std::nullopt); ahead && std::ranges::equal(ahead->views, views) &&
                                                        ahead->rows == rows && ahead->cols == cols &&
                                                        ahead->samples == samples) {
    const Result<void> done = finish(ahead->reading, cancel);
    if (done.ok()) return std::move(ahead->out);
    if (done.error().kind == ErrorKind::cancelled) return done.error();
  }
  TL_TRY(at::Tensor floats, take_views(views.size(), rows, cols));
  if (samples == Samples::counts && holds_counts(info().pixel_type) && floats.numel() > 0) {
    const at::Tensor counts = ops::counts_in_float_memory(floats);
    const Result<void> done = fill(Frames::views, views, rows, cols, cancel, counts);
    if (done.ok()) return counts;
    if (done.error().kind != ErrorKind::unavailable) return done.error();
  }
  TL_TRY(fill(Frames::views, views, rows, cols, cancel, floats));
  return floats;
}

void ScanReader::read_ahead(std::span<const int64_t> views, Range rows, Range cols, Samples samples,
                            const CancelToken& cancel) {
  constexpr std::size_t max_begun = 32;  // requests wait in a socket, which holds some hundreds
  ahead_.reset();
  discard_readings(cancel);
  if (!check_region(info(), {0, 0}, rows, cols).ok()) return;
  Result<at::Tensor> memory = take_views(views.size(), rows, cols);
  if (!memory.ok() || memory.value().numel() == 0) return;
  Ahead next{{views.begin(), views.end()}, rows, cols, samples, std::move(memory).value(), {}};
  if (samples == Samples::counts && holds_counts(info().pixel_type)) next.out = ops::counts_in_float_memory(next.out);
  next.reading = reading_of(Frames::views, views, rows, cols, next.out);
  if (begin(next.reading, max_begun).ok() && next.reading.begun > 0) ahead_ = std::move(next);
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

// Requests are kept short: each has a time limit, by which a slow read is distinguished from a hang.
ScanReader::Reading ScanReader::reading_of(Frames kind, std::span<const int64_t> frames, Range rows, Range cols,
                                           const at::Tensor& out) {
  constexpr int64_t pixels_at_once = int64_t{1} << 24;
  const int64_t at_once = std::max<int64_t>(1, pixels_at_once / std::max<int64_t>(1, rows.size() * cols.size()));
  const auto count = static_cast<int64_t>(frames.size());
  const auto frame = [&](int64_t i) { return frames[static_cast<std::size_t>(i)]; };
  Reading reading;
  for (int64_t i = 0; i < count;) {
    int64_t end = i + 1;
    while (end < count && end - i < at_once && frame(end) == frame(end - 1) + 1) ++end;
    reading.pieces.push_back({{kind, {frame(i), frame(end - 1) + 1}, rows, cols}, out.narrow(0, i, end - i)});
    i = end;
  }
  return reading;
}

Result<bool> ScanReader::begin(Reading& reading, std::size_t most) {
  while (reading.begun < reading.pieces.size() && reading.begun - reading.done < most) {
    const Piece& next = reading.pieces[reading.begun];
    TL_TRY(const bool began, begin_reading(next.region, next.out));
    if (!began) return false;
    ++reading.begun;
  }
  return true;
}

// The next piece is begun before waiting for this one.
Result<void> ScanReader::finish(Reading& reading, const CancelToken& cancel) {
  Result<void> done = ok();
  while (reading.done < reading.pieces.size() && done.ok()) {
    cancel.check();
    const Result<bool> began = begin(reading, 2);
    if (!began.ok()) {
      done = began.error();
    } else if (reading.begun > reading.done) {
      done = finish_reading(cancel);
    } else {
      const Piece& piece = reading.pieces[reading.begun++];
      done = read_into(piece.region, piece.out, cancel);
    }
    ++reading.done;
  }
  if (!done.ok()) discard_readings(cancel);
  return done;
}

Result<void> ScanReader::fill(Frames kind, std::span<const int64_t> frames, Range rows, Range cols,
                              const CancelToken& cancel, const at::Tensor& out) {
  if (out.numel() == 0) return ok();
  ahead_.reset();
  discard_readings(cancel);  // readings left unfinished by an exception or by read_ahead()
  Reading reading = reading_of(kind, frames, rows, cols, out);
  return finish(reading, cancel);
}

}  // namespace tl::io
