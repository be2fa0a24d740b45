// ViewsWriter: writes the views of a scan to a file while they are computed.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>

#include "core/base/geometry.h"
#include "core/io/output/output_file.h"
#include "core/values/values.h"

namespace tl::io {

struct ViewsTarget {
  std::filesystem::path path;
  ScanGeometry geometry;  // geometry of all views and the whole detector
  PixelKind kind = PixelKind::absorption;
  double energy_kev = 0;  // 0 = not known
  OutputRules rules;
};

// Accepts regions in any order; together they cover the scan. finish() returns the complete output, which gets its name
// when it is committed; otherwise nothing remains.
class ViewsWriter {
 public:
  virtual ~ViewsWriter() = default;
  virtual Result<void> write(const ScanRegion& region,
                             const at::Tensor& views) = 0;  // [view, row, col], floating point
  virtual Result<OutputFile> finish() = 0;
};

// An NXtomo file with float32 views and no flats or darks, readable by every NXtomo reader. Errors: invalid for scans
// that are not circular; io if the disk has not enough space.
Result<std::unique_ptr<ViewsWriter>> open_nxtomo_views(const ViewsTarget& target);

}  // namespace tl::io
