// Checks the path of a volume and has a reading process open it.
#include "core/io/open_volume.h"

#include <fstream>

#include "core/io/process/remote_scan.h"

namespace tl::io {
namespace {

Result<void> check_volume_path(const std::filesystem::path& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (status.type() == std::filesystem::file_type::not_found)
    return io_error("the volume does not exist", path.string(), "Check the path");
  if (failed)
    return io_error("the volume cannot be looked at: " + failed.message(), path.string(), "Check permissions");
  if (std::filesystem::is_directory(status)) return ok();
  if (!std::filesystem::is_regular_file(status))
    return io_error("not a file or folder", path.string(), "Give a volume file or a folder of slices");
  if (std::filesystem::file_size(path, failed) == 0 && !failed)
    return io_error("the file is empty", path.string(), "Check that it was copied whole");
  if (!std::ifstream(path, std::ios::binary))
    return io_error("the file cannot be read", path.string(), "Check permissions");
  return ok();
}

}  // namespace

Result<std::unique_ptr<VolumeReader>> open_volume(const std::filesystem::path& path, std::string_view format,
                                                  const CancelToken& cancel) {
  TL_TRY(check_volume_path(path));
  return open_volume_remotely(path, format, cancel);
}

Result<std::unique_ptr<VolumeReader>> open_labels(const std::filesystem::path& path, std::string_view format,
                                                  const CancelToken& cancel) {
  TL_TRY(std::unique_ptr<VolumeReader> volume, open_volume(path, format, cancel));
  volume->read_labels();
  return volume;
}

Result<VolumeFileInfo> read_volume_info(const std::filesystem::path& path) {
  TL_TRY(const std::unique_ptr<VolumeReader> volume, open_volume(path));
  return volume->info();
}

}  // namespace tl::io
