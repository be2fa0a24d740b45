// Formats: one file per format, registered by a generated list; the front door that opens any scan.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/io/scan.h"

namespace tl::io {

// One scan format. `sniff` looks at names and magic only: 0 = not mine, up to 100 = certainly mine. `open` never
// allocates from a number in the file before checking it against the file's length.
struct ScanFormat {
  std::string_view id;          // "nxtomo"
  std::string_view title;       // "NeXus NXtomo"
  std::string_view extensions;  // ".nx .nxs .h5", for file dialogs and messages
  std::string_view summary;     // one sentence for the reference
  int (*sniff)(const std::filesystem::path& path);
  Result<std::unique_ptr<ScanReader>> (*open)(const std::filesystem::path& path);
};

// All formats, in a fixed order (generated from core/io/CMakeLists.txt).
std::span<const ScanFormat> scan_formats();

// Opens with the format that sniffs highest, or with the named one. Missing file, folder without frames, unknown
// content: io or invalid errors that name the path and say what was tried.
Result<std::unique_ptr<ScanReader>> open_scan(const std::filesystem::path& path, std::string_view format = {});

// 128-bit fingerprint of a file for provenance and cache keys: size and sampled content ("xxh128:..." text).
Result<std::string> fingerprint(const std::filesystem::path& path);

}  // namespace tl::io
