// All formats of scans, and opening one of them in this process.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "core/io/reader/scan_format.h"

namespace tl::io {

// All formats, in a fixed order (generated from core/io/scans/CMakeLists.txt).
std::span<const ScanFormat> scan_formats();

// Opens a scan with the format that sniffs highest, or with the named one, in this process; called by the reading
// process. Errors: those of open_scan() (core/io/open_scan.h).
Result<std::unique_ptr<ScanReader>> open_scan_here(const std::filesystem::path& path, std::string_view format,
                                                   const ScanAccess& access);

}  // namespace tl::io
