// Reads the text that Tomoloom embedded in a TIFF or a TIFF stack.
#include "core/io/frame_names.h"
#include "core/io/process/remote_scan.h"
#include "core/io/tiff/file.h"
#include "core/io/tiff/layout.h"

namespace tl::io {

Result<std::string> read_description(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::path file = path;
  if (std::filesystem::is_directory(path, failed)) {
    const auto slices = tiff_files(path);
    if (slices.empty()) return invalid("the folder holds no TIFF slices", path.string(), "Choose a result");
    file = slices.front();
  }
  if (!std::filesystem::exists(file, failed))
    return io_error("the file does not exist", file.string(), "Check the path");
  if (!std::filesystem::is_regular_file(file, failed) || !TiffFile::is_tiff(file))
    return invalid("not a TIFF file", file.string(), "Choose a TIFF that Tomoloom wrote");
  TL_TRY(const std::string description, read_tiff_description(file));
  std::string text = text_of_description(description);
  if (text.empty())
    return invalid("the TIFF holds no text of Tomoloom", file.string(), "Choose a TIFF that Tomoloom wrote");
  return text;
}

}  // namespace tl::io
