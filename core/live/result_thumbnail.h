// A small image of a result on disk.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/cancel.h"
#include "core/picture/image.h"

namespace tl::live {

// The middle slice of the first of these files that is a volume, at most `most` pixels wide and high; empty if none is.
picture::Image result_thumbnail(const std::vector<std::filesystem::path>& files, int64_t most,
                                const CancelToken& cancel);

}  // namespace tl::live
