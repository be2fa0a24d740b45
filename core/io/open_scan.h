// open_scan(): opens a scan of any format.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/io/reader/scan_format.h"

namespace tl::io {

// Opens a scan with the format that sniffs highest, or with the named one. A separate process opens and reads it: if a
// library crashes on a file, hangs or needs more memory than twice the file's size, the result is an io error. Missing
// file, folder without frames, unknown content, contradicting choices: io or invalid errors that name the path and what
// was tried.
Result<std::unique_ptr<ScanReader>> open_scan(const std::filesystem::path& path, std::string_view format = {},
                                              const OpenOptions& options = {});

}  // namespace tl::io
