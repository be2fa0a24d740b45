// A scan that another process reads.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/format.h"

namespace tl::io {

// Opens a scan in a process of its own. When that process dies, the request it was at ends with an error, and the next
// one starts another.
Result<std::unique_ptr<ScanReader>> open_remotely(const std::filesystem::path& path, std::string_view format,
                                                  const OpenOptions& options);

// The description in the first slice of a TIFF or of a folder of TIFFs, read in a process of its own.
Result<std::string> read_tiff_description(const std::filesystem::path& file);

}  // namespace tl::io
