// Whether a DICOM series has all its slices: those that are missing at its ends leave no gap.
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
  std::optional<double> first, all;  // the least instance number; the images that their acquisition had
  bool is_ours = false;
};

// Of a series of ours, invalid if slices are missing. Those of others may be divided, or a part of one: that is noted.
Result<void> check_ends(const DicomSeriesEnds& series, const std::filesystem::path& folder,
                        std::vector<std::string>& notes);

}  // namespace tl::io
