// Checks the path of a volume; a reading process then opens it.
#include "core/io/open_volume.h"

#include "core/io/bytes/input_path.h"
#include "core/io/process/remote_scan.h"

namespace tl::io {

Result<std::unique_ptr<VolumeReader>> open_volume(const std::filesystem::path& path, std::string_view format,
                                                  const CancelToken& cancel) {
  TL_TRY(check_input_path(path, "volume", "Give a volume file or a folder of slices"));
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
