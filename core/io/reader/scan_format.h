// ScanFormat: one way to store a scan (one file per format in core/io/scans), and what its reader may access.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/io/reader/scan.h"
#include "core/io/reader/scan_choices.h"
#include "core/io/reader/source_files.h"

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

struct OpenOptions {
  CancelToken cancel = {};  // cancels opening; reading has its own token
  ScanChoices choices = {};
};

}  // namespace tl::io
