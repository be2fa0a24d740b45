// Frames with numbers in their names: how many are missing in the sequence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tl::io {

// Files of one frame each, whose names differ in one number: views at equal steps of it, some of which may be missing.
struct NumberedFrames {
  std::vector<int64_t> indices;  // index of each file in the complete sequence, from 0 on
  int64_t all = 0;               // how many these are
  int64_t first = 0;             // number
  std::string missing;           // numbers that no file has: "37 to 48, 60"; empty: none is missing

  [[nodiscard]] int64_t count_missing() const { return all - static_cast<int64_t>(indices.size()); }
};
// Nothing if the names differ in more than one number, or if more than half of the numbers are missing, so that they
// are probably times or angles. Numbers in names of `others` (flats, darks) do not count as missing.
std::optional<NumberedFrames> numbered_frames(const std::vector<std::filesystem::path>& files,
                                              const std::vector<std::filesystem::path>& others = {});

}  // namespace tl::io
