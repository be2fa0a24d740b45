// Volumes whose slices are TIFF pages, in one file or one a file: common to both TIFF formats.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/tiff/scan.h"
#include "core/io/voxels/stored_volume.h"

namespace tl::io {

// The voxels of such pages; all have the shape and type of the first one, which is checked when they are read.
Result<std::unique_ptr<StoredVoxels>> tiff_voxels(std::vector<TiffFrame> pages);

// What the description and tags of a TIFF say about a volume: fills in position, unit, scale and embedded text.
// unavailable: the description says that values are another function of the stored numbers.
struct TiffStatements {
  std::string description;
  double pixels_per_unit_x = 0, pixels_per_unit_y = 0;
  bool centimetre = false;  // the unit of the two
};
Result<void> apply_statements(const TiffStatements& stated, int64_t pages, int64_t rows, int64_t cols,
                              StoredVolume& volume);

}  // namespace tl::io
