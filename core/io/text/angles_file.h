// Reads view angles from a text file next to the scan.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// One angle per view in degrees, separated by white space, commas or semicolons; # begins a comment. The first line may
// be words; "rad" or "radians" among them sets radians. Commas are decimal commas if no number has a point, every comma
// stands between digits, and each line has one number. If lines have two numbers and the first counts the lines from 0
// or 1, the second is the angle. Returns radians. Errors, with the line: io (missing, unreadable), invalid (not text,
// not a number, not finite, more than 2^24 angles).
Result<std::vector<double>> read_angles_file(const std::filesystem::path& path);

}  // namespace tl::io
