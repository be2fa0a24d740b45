// Reads view angles from a text file next to the scan.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// One angle per view in degrees, separated by white space, commas or semicolons; # begins a comment until the end of
// the line. The first line may be words, and radians if one of them is "rad" or "radians". Commas are decimal where the
// numbers have no points and each stands between digits, one a number, on lines of one number. Of lines with two
// numbers, the first of which counts the lines from 0 or 1, the second is the angle. Returns radians. Errors, with the
// line: io (missing, unreadable), invalid (no text, not a number, not finite, more than 2^24 angles).
Result<std::vector<double>> read_angles_file(const std::filesystem::path& path);

}  // namespace tl::io
