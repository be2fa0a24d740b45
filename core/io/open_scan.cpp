// Checks the path of a scan and has a reading process open it.
#include "core/io/open_scan.h"

#include <fstream>

#include "core/io/process/remote_scan.h"

namespace tl::io {
namespace {

Result<void> check_path(const std::filesystem::path& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (status.type() == std::filesystem::file_type::not_found)
    return io_error("the scan does not exist", path.string(), "Check the path");
  if (failed) return io_error("the scan cannot be looked at: " + failed.message(), path.string(), "Check permissions");
  if (std::filesystem::is_directory(status)) return ok();
  if (!std::filesystem::is_regular_file(status))
    return io_error("not a file or folder", path.string(), "Give a scan file or a folder of frames");
  if (std::filesystem::file_size(path, failed) == 0 && !failed)
    return io_error("the file is empty", path.string(), "Check that it was copied whole");
  if (!std::ifstream(path, std::ios::binary))
    return io_error("the file cannot be read", path.string(), "Check permissions");
  return ok();
}

}  // namespace

Result<std::unique_ptr<ScanReader>> open_scan(const std::filesystem::path& path, std::string_view format,
                                              const OpenOptions& options) {
  TL_TRY(check_path(path));
  TL_TRY(check(options.choices));
  return open_remotely(path, format, options);
}

Result<ScanInfo> read_scan_info(const std::filesystem::path& path) {
  TL_TRY(const std::unique_ptr<ScanReader> scan, open_scan(path));
  return scan->info();
}

}  // namespace tl::io
