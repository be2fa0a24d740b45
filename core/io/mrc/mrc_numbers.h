// The numbers of MRC files, as they lie in them.
#pragma once

#include <filesystem>
#include <memory>

#include "core/io/mrc/mrc_header.h"
#include "core/io/voxels/stored_volume.h"

namespace tl::io {

// The numbers behind a header: pages of rows, the lowest row first. Errors: io, if the file is shorter than the header
// says; invalid, if there are more numbers than it says.
Result<std::unique_ptr<StoredVoxels>> mrc_numbers(const std::filesystem::path& path, const MrcHeader& header);

}  // namespace tl::io
