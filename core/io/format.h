// Formats: one file per format, registered by a generated list; the front door that opens any scan.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/io/scan.h"
#include "core/io/scan_choices.h"
#include "core/io/source_files.h"

namespace tl::io {

// How a format's reader may go about its files.
struct ScanAccess {
  std::shared_ptr<SourceFiles> sources;
  int64_t threads = 1;  // that decode frames side by side
  ScanChoices choices = {};
};

// One scan format. `sniff` looks at names and magic only: 0 = not mine, up to 100 = certainly mine. `open` never
// allocates from a number in the file before checking it against the file's length. Both run in a process of their own,
// which may crash.
struct ScanFormat {
  std::string_view id;          // "nxtomo"
  std::string_view title;       // "NeXus NXtomo"
  std::string_view extensions;  // ".nx .nxs .h5", for file dialogs and messages
  std::string_view summary;     // one sentence for the reference
  int (*sniff)(const std::filesystem::path& path, const ScanAccess& access);
  Result<std::unique_ptr<ScanReader>> (*open)(const std::filesystem::path& path, const ScanAccess& access);
};

// All formats, in a fixed order (generated from core/io/CMakeLists.txt).
std::span<const ScanFormat> scan_formats();

struct OpenOptions {
  OutsideLinks outside_links = OutsideLinks::refuse;
  CancelToken cancel = {};   // of opening; reading has its own
  ScanChoices choices = {};  // they go before what the file says
};

// Opens with the format that sniffs highest, or with the named one, in a process of its own that also reads: a file on
// which a library crashes, never ends or wants more memory than twice the file's size costs an io error. Missing file,
// folder without frames, unknown content, choices that do not fit: io or invalid errors that name the path and say what
// was tried.
Result<std::unique_ptr<ScanReader>> open_scan(const std::filesystem::path& path, std::string_view format = {},
                                              const OpenOptions& options = {});

// The same in this process: for the one that reads.
Result<std::unique_ptr<ScanReader>> open_scan_here(const std::filesystem::path& path, std::string_view format,
                                                   const ScanAccess& access);

// 128-bit fingerprint of a file, or of the files in a folder whatever that is called, for provenance and cache keys:
// size and sampled content ("xxh128:..." text).
Result<std::string> fingerprint(const std::filesystem::path& path);

}  // namespace tl::io
