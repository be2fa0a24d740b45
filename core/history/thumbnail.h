// A small image of a result.
#pragma once

#include <filesystem>
#include <vector>

#include "core/history/entry.h"

namespace tl::history {

inline constexpr int longest_thumbnail_edge = 128;  // pixels

// The middle slice of the first file that is a volume; empty if none is. Reads one slice.
Thumbnail thumbnail_of(const std::vector<std::filesystem::path>& files);

}  // namespace tl::history
