// Frames whose names count: how many are missing between them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tl::io {

// Frames one a file whose names differ in one number: views at equal steps of it, of which some may be missing.
struct NumberedFrames {
  std::vector<int64_t> indices;  // of each file among all that there would be without gaps, from 0 on
  int64_t all = 0;               // how many these are
  int64_t first = 0;             // number
  std::string missing;           // the numbers that no file has: "37 to 48, 60"; empty: none is missing

  [[nodiscard]] int64_t count_missing() const { return all - static_cast<int64_t>(indices.size()); }
};
// Nothing if the names do not differ in one number alone, or if the numbers rather are times or angles than counts,
// because more than half of them are missing. Numbers that names of `others` (flats, darks) have are not missing.
std::optional<NumberedFrames> numbered_frames(const std::vector<std::filesystem::path>& files,
                                              const std::vector<std::filesystem::path>& others = {});

}  // namespace tl::io
