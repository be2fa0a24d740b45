// Whether a DICOM series has all its slices: slices missing at an end leave no gap in the positions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

struct DicomSeriesEnds {
  int64_t slices = 0;                // that are there
  std::optional<double> first, all;  // smallest instance number; number of images in the acquisition
  bool is_ours = false;
};

// For a series that we wrote, invalid if slices are missing. Series of other programs may be divided or incomplete:
// that is noted.
Result<void> check_ends(const DicomSeriesEnds& series, const std::filesystem::path& folder,
                        std::vector<std::string>& notes);

}  // namespace tl::io
