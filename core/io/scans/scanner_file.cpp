// Finds the file that describes a scan of a laboratory scanner, and checks the frames against it.
#include "core/io/scans/scanner_file.h"

#include "core/base/printable.h"
#include "core/base/units.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/text/frame_names.h"

namespace tl::io {

namespace fs = std::filesystem;

std::vector<fs::path> scanner_files(const fs::path& path, bool (*is_wanted)(const fs::path& file)) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) return files_in(path, is_wanted);
  return is_wanted(path) ? std::vector<fs::path>{path} : std::vector<fs::path>();
}

Result<fs::path> only_scanner_file(const fs::path& path, const std::vector<fs::path>& files, const std::string& kind) {
  if (files.size() == 1) return files.front();
  if (files.empty())
    return invalid("there is no " + kind, path.string(), "Give the file that the scanner wrote next to the frames");
  return invalid("the folder holds " + counted(static_cast<int64_t>(files.size()), kind) + ", the first is " +
                     printable(files.front().filename().string()),
                 path.string(), "Give the file that is meant");
}

Result<void> check_frame_size(const ScanInfo& info, int64_t rows, int64_t cols, const std::string& keys) {
  if (info.rows == rows && info.cols == cols) return ok();
  return invalid("the frames have " + std::to_string(info.cols) + " x " + std::to_string(info.rows) +
                     " pixels, the file says " + std::to_string(cols) + " x " + std::to_string(rows),
                 info.path.string(), "Give the frames as the scanner wrote them, or correct " + keys);
}

void divide_by_level(TiffScanParts& parts, double level, const std::string& source) {
  parts.references = UniformReferences{static_cast<float>(level), 0};
  parts.info.flat_positions = {-0.5};
  parts.info.notes.push_back("The scanner has corrected the frames: " + source + ", " +
                             format_quantity(level, Unit::none) + ", is the flat of all pixels, and 0 the dark.");
}

Result<void> check_frames_are_views(const ScanChoices& choices, const fs::path& path, const std::string& scanner) {
  if (choices.order != FrameOrder::sinograms) return ok();
  return invalid("the frames of a " + scanner + " scan are views, not sinograms", path.string(),
                 "Leave the order of the frames to the file");
}

}  // namespace tl::io
