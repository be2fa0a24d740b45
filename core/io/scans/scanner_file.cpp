// Finds the file that describes a scan of a laboratory scanner, and checks the frames against it.
#include "core/io/scans/scanner_file.h"

#include <charconv>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/text/frame_names.h"

namespace tl::io {

namespace fs = std::filesystem;

namespace {

bool is_frame_of(const std::string& stem, const std::string& prefix) {
  const std::string name = lower_case(stem), begin = lower_case(prefix);
  return name.size() > begin.size() && name.starts_with(begin) &&
         name.find_first_not_of("0123456789", begin.size()) == std::string::npos;
}

}  // namespace

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

Result<std::vector<fs::path>> numbered_scanner_frames(const fs::path& description,
                                                      const std::vector<std::string>& prefixes, ScanInfo& info,
                                                      int64_t used_references) {
  const std::vector<fs::path> all = tiff_files(description.parent_path());
  for (const std::string& prefix : prefixes) {
    std::vector<fs::path> found;
    for (const fs::path& tiff : all)
      if (is_frame_of(tiff.stem().string(), prefix)) found.push_back(tiff);
    if (found.empty()) continue;
    const auto others = static_cast<int64_t>(all.size() - found.size()) - used_references;
    if (others > 0) info.notes.push_back(counted(others, "other TIFF file") + " next to the frames left out.");
    return found;
  }
  return invalid("there are no TIFF frames called " + printable(prefixes.front()) + "NUMBER next to the file",
                 info.path.string(), "Put the frames next to it; frames in other formats are converted to TIFF first");
}

Result<std::vector<int64_t>> indices_of_frames(const std::vector<fs::path>& frames, int64_t stated, ScanInfo& info) {
  std::vector<int64_t> indices;
  for (const fs::path& frame : frames) {
    const std::string stem = frame.stem().string();
    const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
    int64_t number = 0;
    if (std::from_chars(stem.data() + digits, stem.data() + stem.size(), number).ec != std::errc())
      return invalid("the number of the frame is too large: " + printable(stem), info.path.string(),
                     "Give the frames as the scanner wrote them");
    indices.push_back(number);
  }
  const int64_t first = indices.front(), all = indices.back() - first + 1;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i > 0 && indices[i] - first <= indices[i - 1])
      return invalid("two frames have one number: " + printable(frames[i - 1].filename().string()) + " and " +
                         printable(frames[i].filename().string()),
                     info.path.string(), "Move one of them away");
    indices[i] -= first;
  }
  const auto report = [&info](const std::string& note) {
    info.outside.push_back(note);
    info.notes.push_back(note);
  };
  if (const int64_t missing = all - static_cast<int64_t>(frames.size()); missing > 0)
    report(std::to_string(missing) + " of " + std::to_string(all) +
           " views are missing by the numbers of the frames. Angles follow the numbers.");
  if (all != stated)
    report("The file says " + counted(stated, "frame") + ", but the frames are numbered to " + std::to_string(all) +
           ".");
  return indices;
}

Result<void> leave_out_frame_behind(int64_t views, const std::string& reason, std::vector<fs::path>& frames,
                                    ScanInfo& info) {
  ScanInfo without_notes;
  without_notes.path = info.path;
  TL_TRY(const std::vector<int64_t> indices, indices_of_frames(frames, views, without_notes));
  if (indices.size() < 2 || indices.back() != views) return ok();
  info.notes.push_back(printable(frames.back().filename().string()) + " left out: " + reason + ".");
  frames.pop_back();
  return ok();
}

void divide_by_level(double level, const std::string& source, ScanInfo& info,
                     std::optional<UniformReferences>& references) {
  references = UniformReferences{static_cast<float>(level), 0};
  info.flat_positions = {-0.5};
  info.notes.push_back("The scanner has corrected the frames: " + source + ", " + format_quantity(level, Unit::none) +
                       ", is the flat of all pixels, and 0 the dark.");
}

void guess_level(const ScanChoices& choices, ScanInfo& info, std::optional<UniformReferences>& references) {
  if (choices.kind().value_or(PixelKind::counts) != PixelKind::counts || choices.names_flats()) return;
  constexpr double largest = 65535;
  divide_by_level(largest, "a guess, the largest count", info, references);
  info.notes.emplace_back(
      "The file does not say which count is air. Where air is in view, correct.beam_intensity measures it.");
}

Result<void> check_frames_are_views(const ScanChoices& choices, const fs::path& path, const std::string& scanner) {
  if (choices.order != FrameOrder::sinograms) return ok();
  return invalid("the frames of a " + scanner + " scan are views, not sinograms", path.string(),
                 "Leave the order of the frames to the file");
}

}  // namespace tl::io
