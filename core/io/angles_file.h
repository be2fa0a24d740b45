// Reading view angles from a text file beside the scan.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// One angle per view in degrees, separated by white space, commas or semicolons; # begins a comment until the end of
// the line. Returns radians. Errors, with the line: io (missing, unreadable), invalid (not a number, not finite, more
// than 2^24 angles).
Result<std::vector<double>> read_angles_file(const std::filesystem::path& path);

}  // namespace tl::io
