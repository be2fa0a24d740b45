// Checks the path of a scan; a reading process then opens it.
#include "core/io/open_scan.h"

#include "core/io/bytes/input_path.h"
#include "core/io/process/remote_scan.h"

namespace tl::io {

Result<std::unique_ptr<ScanReader>> open_scan(const std::filesystem::path& path, std::string_view format,
                                              const OpenOptions& options) {
  TL_TRY(check_input_path(path, "scan", "Give a scan file or a folder of frames"));
  TL_TRY(check(options.choices));
  return open_remotely(path, format, options);
}

Result<ScanInfo> read_scan_info(const std::filesystem::path& path) {
  TL_TRY(const std::unique_ptr<ScanReader> scan, open_scan(path));
  return scan->info();
}

}  // namespace tl::io
