// open_volume(): opens a volume of any format.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/base/cancel.h"
#include "core/io/volumes/volume.h"

namespace tl::io {

// Opens a volume with the format that its content fits best, or with the named one (volumes/format.h). A separate
// process opens and reads it: if a library crashes on a file, hangs or needs too much memory, the result is an io
// error. Reads no voxels, but may block as long as the disk does.
Result<std::unique_ptr<VolumeReader>> open_volume(const std::filesystem::path& path, std::string_view format = {},
                                                  const CancelToken& cancel = {});

// open_volume() of a volume whose voxels are labels.
Result<std::unique_ptr<VolumeReader>> open_labels(const std::filesystem::path& path, std::string_view format = {},
                                                  const CancelToken& cancel = {});

}  // namespace tl::io
