// Reading positions of source and detector from a text file next to the frames.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// The twelve numbers of one view in ASTRA's cone_vec: source, centre of the detector, step from one column to the next,
// step from one row to the next (x, y, z each).
using ConeVector = std::array<double, 12>;

// One view per line, numbers separated by white space or commas; empty lines and lines that begin with # are ignored.
// Errors, with the line: io (unreadable), invalid (not twelve finite numbers up to 1e9, more than 2^20 lines).
Result<std::vector<ConeVector>> read_vectors_file(const std::filesystem::path& path);

}  // namespace tl::io
