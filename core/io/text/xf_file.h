// Reading and writing linear image transforms in IMOD's format (.xf).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// X' = a11 X + a12 Y + dx, Y' = a21 X + a22 Y + dy: the new position [px] of the pixel at (X, Y) from the image's
// centre, Y upwards.
struct ImageTransform {
  double a11 = 1, a12 = 0, a21 = 0, a22 = 1, dx = 0, dy = 0;
  friend bool operator==(const ImageTransform&, const ImageTransform&) = default;
};

// One transform per line, numbers separated by white space; empty lines are ignored. Errors, with the line: io
// (unreadable), invalid (not six finite numbers, more than 2^20 lines, none).
Result<std::vector<ImageTransform>> read_xf_file(const std::filesystem::path& path);
// The content of such a file: seven decimals for the matrix, as IMOD writes, and nine digits for the shifts.
std::string xf_text(const std::vector<ImageTransform>& transforms);

}  // namespace tl::io
