// Opens scans and volumes that a separate process reads.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/hdf5/tree.h"
#include "core/io/reader/scan_format.h"
#include "core/io/volumes/volume.h"

namespace tl::io {

// Opens a scan in a separate process. If that process dies, the current request ends with an error, and the next one
// starts a new process.
Result<std::unique_ptr<ScanReader>> open_remotely(const std::filesystem::path& path, std::string_view format,
                                                  const OpenOptions& options);

// The same for a volume.
Result<std::unique_ptr<VolumeReader>> open_volume_remotely(const std::filesystem::path& path, std::string_view format,
                                                           const CancelToken& cancel);
// The description in the first page of a TIFF file, read in a separate process.
Result<std::string> read_tiff_description(const std::filesystem::path& file);

}  // namespace tl::io
