// Angles that stand in a text file beside the scan.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// One angle per view in degrees, separated by white space, commas or semicolons; what follows a # on a line is a
// comment. Comes back in rad. Errors: io (missing, unreadable), invalid (no number, not finite, more than 2^24 of
// them), with the line.
Result<std::vector<double>> read_angles_file(const std::filesystem::path& path);

}  // namespace tl::io
