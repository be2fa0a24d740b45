// A scan on disk: lazy access to its pixels.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/region.h"
#include "core/io/frame_blocks.h"
#include "core/io/scan_info.h"
#include "core/values.h"

namespace tl::io {

// An open scan. Reading is lazy: only the asked region is touched. Not thread-safe: one thread at a time.
class ScanReader {
 public:
  virtual ~ScanReader() = default;
  [[nodiscard]] virtual const ScanInfo& info() const = 0;
  // Pixels of the views [view, row, col] on the given rows and columns, as float32 (integers up to 24 bits are exact).
  // Where counts are taken and all that is read is integers of 8 or 16 bits without sign: as counts that lie in the
  // memory of floats (gpu/ops/counts.h). Errors: io with file and dataset.
  Result<at::Tensor> read(const ScanRegion& region, Samples samples = Samples::floats);
  // The same of some views in their order. `cancel` is looked at every few million pixels.
  Result<at::Tensor> read_views(std::span<const int64_t> views, Range rows, Range cols, Samples samples,
                                const CancelToken& cancel);
  // Of all flats or of all darks [n, row, col], as float32.
  virtual Result<at::Tensor> read_flats(Range rows, Range cols) = 0;
  virtual Result<at::Tensor> read_darks(Range rows, Range cols) = 0;
  // Files whose contents the pixels depend on (the scan, linked files, TIFF frames).
  [[nodiscard]] virtual std::vector<std::filesystem::path> files() const = 0;

  // A region into `out`, [view, row, col] of float32 or uint16 with the pixels of a view side by side. Errors: as
  // above; unavailable where a frame has other numbers than counts.
  virtual Result<void> read_into(const ScanRegion& region, const at::Tensor& out) = 0;

 private:
  Result<void> fill(std::span<const int64_t> views, Range rows, Range cols, const CancelToken& cancel,
                    const at::Tensor& out);
  FrameBlocks blocks_;
};

}  // namespace tl::io
