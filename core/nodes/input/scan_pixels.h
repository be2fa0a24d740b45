// Pixels of a scan on disk as the load node outputs them: frames mirrored or transposed, and the flats and darks in
// use.
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

#include "core/base/region.h"
#include "core/io/reader/scan.h"
#include "core/io/scans/reference_check.h"
#include "core/nodes/input/scan_geometry.h"
#include "core/values/flat_positions.h"

namespace tl {

// Converts rows and columns of the output to those of the file, and the pixels back.
struct MirroredFrames {
  Flip flip_u = Flip::keep, flip_v = Flip::keep;
  Axes axes = Axes::keep;
  int64_t rows = 0, cols = 0;  // of the output

  [[nodiscard]] std::pair<Range, Range> in_file(Range r, Range c) const;
  // Counts that are not rearranged stay in place, in memory allocated for floats.
  [[nodiscard]] at::Tensor apply(at::Tensor frames, at::ScalarType dtype) const;
};

// The flats and darks in use, and all doubts about the scan. Errors: those of the reader.
Result<io::ReferenceCheck> checked_scan(io::ScanReader& reader, const io::ScanChoices& choices,
                                        const CancelToken& cancel);

// Removes odd flats, unless that leaves none for the chosen views.
void drop_odd_flats(const std::vector<int64_t>& usual, FlatsAmong& used);

}  // namespace tl
