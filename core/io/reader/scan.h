// ScanReader: lazy access to the pixels of a scan on disk.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/region.h"
#include "core/io/bytes/input_files.h"
#include "core/io/reader/frame_pool.h"
#include "core/io/reader/scan_info.h"
#include "core/values/values.h"

namespace tl::io {

enum class Frames : uint32_t { views, flats, darks };
// A box of frames of one kind.
struct FrameRegion {
  Frames kind = Frames::views;
  Range frames, rows, cols;
};

// An open scan. Only the requested region is read. One thread at a time.
class ScanReader {
 public:
  explicit ScanReader(FramePool::Sharing sharing = FramePool::Sharing::between_processes)
      : views_(sharing), references_(sharing, 0) {}
  virtual ~ScanReader() = default;
  [[nodiscard]] virtual const ScanInfo& info() const = 0;
  // Pixels of the views [view, row, col] as float32 (integers up to 24 bits are exact). With Samples::counts, unsigned
  // integers of 8 or 16 bits are returned as uint16, in memory allocated for floats (gpu/correction/counts.h). Errors:
  // io with file and dataset, also for frames that were never recorded and for files that changed since the scan was
  // opened.
  Result<at::Tensor> read(const ScanRegion& region, Samples samples = Samples::floats);
  // Reads some views in the given order. Cancellation takes effect within a tenth of a second.
  Result<at::Tensor> read_views(std::span<const int64_t> views, Range rows, Range cols, Samples samples,
                                const CancelToken& cancel);
  // Begins to read the views of the next read_views() call, and returns immediately. A different request discards it.
  // Errors are not reported here: read_views() reads again and reports them.
  void read_ahead(std::span<const int64_t> views, Range rows, Range cols, Samples samples, const CancelToken& cancel);
  // All flats or all darks [n, row, col], as float32.
  Result<at::Tensor> read_flats(Range rows, Range cols, const CancelToken& cancel = {});
  Result<at::Tensor> read_darks(Range rows, Range cols, const CancelToken& cancel = {});
  // Files on which the pixels depend (the scan, linked files, TIFF frames), with their state when they were first read.
  [[nodiscard]] virtual const std::shared_ptr<InputFiles>& inputs() const = 0;
  [[nodiscard]] std::vector<std::filesystem::path> files() const;

  // Reads a region into `out`, [frame, row, col] of float32 or uint16; the pixels of a frame are contiguous. Errors: as
  // above; unavailable if uint16 is requested and a frame has other numbers.
  virtual Result<void> read_into(const FrameRegion& region, const at::Tensor& out, const CancelToken& cancel) = 0;

  // read_into() in two halves, so that a reading process always has a next request. begin_reading() returns
  // immediately; false: not possible for this reader or tensor. finish_reading() waits for the oldest reading begun;
  // its errors are those of read_into(). discard_readings() waits for all of them.
  virtual Result<bool> begin_reading(const FrameRegion& /*region*/, const at::Tensor& /*out*/) { return false; }
  virtual Result<void> finish_reading(const CancelToken& /*cancel*/) { return ok(); }
  virtual void discard_readings(const CancelToken& /*cancel*/) {}

 protected:
  // The memory pools. The pool for flats and darks reuses no memory, because callers cache these frames.
  [[nodiscard]] const FramePool& blocks(Frames kind) const { return kind == Frames::views ? views_ : references_; }

 private:
  Result<at::Tensor> read_references(Frames kind, int64_t count, Range rows, Range cols, const CancelToken& cancel);
  Result<void> fill(Frames kind, std::span<const int64_t> frames, Range rows, Range cols, const CancelToken& cancel,
                    const at::Tensor& out);

  // A run of consecutive frames, read by one request into its part of a tensor.
  struct Piece {
    FrameRegion region;
    at::Tensor out;
  };
  // The pieces of a request, in order: some are done, some have been begun.
  struct Reading {
    std::vector<Piece> pieces;
    std::size_t done = 0, begun = 0;
  };
  // Views that are read ahead.
  struct Ahead {
    std::vector<int64_t> views;
    Range rows, cols;
    Samples samples = Samples::floats;
    at::Tensor out;
    Reading reading;
  };
  static Reading reading_of(Frames kind, std::span<const int64_t> frames, Range rows, Range cols,
                            const at::Tensor& out);
  // Begins pieces until `most` are in progress. False if the reader cannot begin the next one.
  Result<bool> begin(Reading& reading, std::size_t most);
  Result<void> finish(Reading& reading, const CancelToken& cancel);
  Result<at::Tensor> take_views(std::size_t count, Range rows, Range cols);

  FramePool views_, references_;
  std::optional<Ahead> ahead_;
};

}  // namespace tl::io
