// Checks with the file system whether a path can be opened.
#include "core/io/bytes/input_path.h"

#include <fstream>

namespace tl::io {

Result<void> check_input_path(const std::filesystem::path& path, const std::string& what, const std::string& advice) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (status.type() == std::filesystem::file_type::not_found)
    return io_error("the " + what + " does not exist", path.string(), "Check the path");
  if (failed)
    return io_error("the " + what + " cannot be looked at: " + failed.message(), path.string(), "Check permissions");
  if (std::filesystem::is_directory(status)) return ok();
  if (!std::filesystem::is_regular_file(status)) return io_error("not a file or folder", path.string(), advice);
  if (std::filesystem::file_size(path, failed) == 0 && !failed)
    return io_error("the file is empty", path.string(), "Check that it was copied whole");
  if (!std::ifstream(path, std::ios::binary))
    return io_error("the file cannot be read", path.string(), "Check permissions");
  return ok();
}

}  // namespace tl::io
