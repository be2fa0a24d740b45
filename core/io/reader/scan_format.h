// ScanFormat: a storage format of scans (one file per format in core/io/scans), and the files that its reader may
// access.
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

// Contents to read from a file: a scan, or only its frames, without metadata and not necessarily projections.
enum class Content : uint32_t { scan, frames_only };

// The files and memory that a format's reader may access.
struct ScanAccess {
  std::shared_ptr<SourceFiles> sources;
  int64_t threads = 1;  // number of threads that decode frames
  ScanChoices choices = {};
  Content content = Content::scan;
};

// ScanInfo::format of readers that provide only frames, without metadata.
inline constexpr const char* frames_format = "frames";

// One scan format. `sniff` examines only names and magic numbers: 0 = not this format, up to 100 = certainly this
// format. `open` must check a number in the file against the file's length before allocating by it. Both run in a
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
