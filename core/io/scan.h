// A scan on disk: lazy access to its pixels.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/region.h"
#include "core/io/scan_info.h"
#include "core/values.h"

namespace tl::io {

// An open scan. Reading is lazy: only the asked region is touched. Not thread-safe: one thread at a time.
class ScanReader {
 public:
  virtual ~ScanReader() = default;
  [[nodiscard]] virtual const ScanInfo& info() const = 0;
  // Pixels of the views [view, row, col], of all flats or of all darks [n, row, col] on the given rows and columns, as
  // float32 (integers up to 24 bits are exact). Errors: io with file and dataset.
  virtual Result<at::Tensor> read(const ScanRegion& region) = 0;
  virtual Result<at::Tensor> read_flats(Range rows, Range cols) = 0;
  virtual Result<at::Tensor> read_darks(Range rows, Range cols) = 0;
  // Files whose contents the pixels depend on (the scan, linked files, TIFF frames).
  [[nodiscard]] virtual std::vector<std::filesystem::path> files() const = 0;
};

}  // namespace tl::io
