// A small image (thumbnail) of a result.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/cancel.h"
#include "core/history/entry.h"
#include "core/picture/image.h"

namespace tl::history {

inline constexpr int longest_thumbnail_edge = 128;  // pixels

// The middle slice of the first of these files that is a volume, averaged to at most `longest_edge` pixels wide and
// high; empty if none is a volume. Reads one slice: not for a GUI thread.
picture::Image small_slice(const std::vector<std::filesystem::path>& files, int64_t longest_edge,
                           const CancelToken& cancel = {});
// The same in grey levels.
Thumbnail thumbnail_of(const std::vector<std::filesystem::path>& files);

}  // namespace tl::history
