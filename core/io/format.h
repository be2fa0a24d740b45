// Scan formats (one file per format, registered by a generated list), and open_scan(), which opens any of them.
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

// What is wanted of a file: a scan, or only its frames, of which none need be a projection, and no metadata.
enum class Content : uint32_t { scan, frames_only };

// What a format's reader may access, and how.
struct ScanAccess {
  std::shared_ptr<SourceFiles> sources;
  int64_t threads = 1;  // number of threads that decode frames
  ScanChoices choices = {};
  Content content = Content::scan;
};

// ScanInfo::format of readers that have only frames, of no scan.
inline constexpr const char* frames_format = "frames";

// One scan format. `sniff` examines names and magic numbers only: 0 = not this format, up to 100 = certainly this
// format. `open` must not allocate by a number in the file before checking it against the file's length. Both run in a
// separate process, which may crash.
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
  CancelToken cancel = {};   // cancels opening; reading has its own token
  ScanChoices choices = {};  // override the metadata of the file
};

// Opens a scan with the format that sniffs highest, or with the named one. A separate process opens and reads it: if a
// library crashes on a file, hangs or needs more memory than twice the file's size, the result is an io error. Missing
// file, folder without frames, unknown content, contradicting choices: io or invalid errors that name the path and what
// was tried.
Result<std::unique_ptr<ScanReader>> open_scan(const std::filesystem::path& path, std::string_view format = {},
                                              const OpenOptions& options = {});

// The same in this process; called by the reading process.
Result<std::unique_ptr<ScanReader>> open_scan_here(const std::filesystem::path& path, std::string_view format,
                                                   const ScanAccess& access);

// 128-bit fingerprint of a file, or of the files in a folder (independent of the folder's name), for provenance and
// cache keys: from size and sampled content ("xxh128:..." text).
Result<std::string> fingerprint(const std::filesystem::path& path);

}  // namespace tl::io
