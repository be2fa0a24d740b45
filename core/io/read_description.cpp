// Reads the text that Tomoloom embedded in a volume.
#include "core/io/open_volume.h"
#include "core/io/process/remote_scan.h"
#include "core/io/text/frame_names.h"
#include "core/io/tiff/file.h"
#include "core/io/tiff/layout.h"

namespace tl::io {
namespace {

Result<std::string> description_of_volume(const std::filesystem::path& file) {
  TL_TRY(const std::unique_ptr<VolumeReader> volume, open_volume(file));
  if (volume->info().description.empty())
    return invalid("the volume has no description written by Tomoloom", file.string(),
                   "Choose a volume that Tomoloom wrote");
  return volume->info().description;
}

}  // namespace

Result<std::string> read_description(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::path file = path;
  if (std::filesystem::is_directory(path, failed)) {
    const auto slices = tiff_files(path);
    if (slices.empty()) return description_of_volume(path);
    file = slices.front();
  }
  if (!std::filesystem::exists(file, failed))
    return io_error("the file does not exist", file.string(), "Check the path");
  if (!std::filesystem::is_regular_file(file, failed))
    return invalid("not a file", file.string(), "Choose a volume that Tomoloom wrote");
  if (!TiffFile::is_tiff(file)) return description_of_volume(file);
  TL_TRY(const std::string description, read_tiff_description(file));
  std::string text = text_of_description(description);
  if (text.empty())
    return invalid("the TIFF has no description written by Tomoloom", file.string(),
                   "Choose a TIFF that Tomoloom wrote");
  return text;
}

}  // namespace tl::io
