// Reads TIFF stacks: a folder of frames with flats and darks in it or next to it, or one file of many pages.
#include "core/base/text.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/numbered_frames.h"
#include "core/io/tiff/file.h"
#include "core/io/tiff/scan.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// The files of the three kinds, and notes about where the references come from.
struct Lists {
  std::vector<fs::path> views, flats, darks;
  std::vector<std::string> notes;
};

// Adds the frames of the folders in `parent` whose names say flats or darks, but not by a word that the name of the
// scan's own folder has too: sample_io_1 and sample_io_2 are two scans.
void take_references(const fs::path& parent, const fs::path& scan, Lists& lists) {
  const std::string own_words = scan == parent ? std::string() : scan.filename().string();
  for (const fs::path& folder : subfolders(parent)) {
    const FrameKind kind = frame_kind(folder.filename().string(), own_words);
    if (folder == scan || kind == FrameKind::projection) continue;
    const auto files = tiff_files(folder);
    auto& list = kind == FrameKind::flat ? lists.flats : lists.darks;
    list.insert(list.end(), files.begin(), files.end());
    if (!files.empty())
      lists.notes.push_back((kind == FrameKind::flat ? "Flats" : "Darks") + std::string(" come from the folder ") +
                            folder.filename().string() + ".");
  }
}

// The folder of the projections: the given one, or its only subfolder with frames that are not references.
fs::path frames_folder(const fs::path& folder) {
  if (has_tiff_files(folder)) return folder;
  std::vector<fs::path> candidates;
  for (const fs::path& sub : subfolders(folder))
    if (frame_kind(sub.filename().string()) == FrameKind::projection && has_tiff_files(sub)) candidates.push_back(sub);
  return candidates.size() == 1 ? candidates.front() : folder;
}

Lists lists_of(const fs::path& folder) {
  Lists lists;
  for (const fs::path& file : tiff_files(folder)) {
    const FrameKind kind = frame_kind(file.stem().string());
    (kind == FrameKind::projection ? lists.views : kind == FrameKind::flat ? lists.flats : lists.darks).push_back(file);
  }
  // The sample may be called "flat": references alone are not a scan.
  if (lists.views.empty() && !(lists.flats.empty() && lists.darks.empty())) {
    lists = {};
    lists.views = tiff_files(folder);
    lists.notes.emplace_back("All names look like flats or darks: all count as projections.");
  }
  if (lists.flats.empty() && lists.darks.empty()) take_references(folder, folder, lists);
  if (lists.flats.empty() && lists.darks.empty() && folder.has_parent_path())
    take_references(folder.parent_path(), folder, lists);
  return lists;
}

// What the numbers in the names leave out, where every view has a file of its own.
std::optional<NumberedFrames> numbers_of_views(const Lists& lists, const TiffScanParts& parts) {
  if (parts.views.size() != lists.views.size()) return std::nullopt;
  std::vector<fs::path> references = lists.flats;
  references.insert(references.end(), lists.darks.begin(), lists.darks.end());
  return numbered_frames(lists.views, references);
}

// Electron events, which are kept in the structure of a TIFF but are no pixels.
bool is_eer_name(const fs::path& file) { return lower_case(file.extension().string()) == ".eer"; }

int sniff_tiff_stack(const fs::path& path, const ScanAccess& /*access*/) {
  constexpr int surely = 90;
  std::error_code failed;
  if (is_eer_name(path)) return surely;
  if (fs::is_directory(path, failed)) return has_tiff_files(frames_folder(path)) ? 60 : 0;
  return TiffFile::is_tiff(path) ? 60 : 0;
}

Result<std::unique_ptr<ScanReader>> open_tiff_stack_scan(const fs::path& path, const ScanAccess& access) {
  if (is_eer_name(path))
    return unavailable("electron events (EER) cannot be read", path.string(),
                       "Convert them to a TIFF or MRC movie, for example by relion_convert_to_tiff (RELION), "
                       "clip unpack or alignframes (IMOD)");
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed).lexically_normal();
  const bool is_folder = fs::is_directory(path, failed);
  Lists lists;
  if (is_folder) {
    const fs::path given = absolute.has_filename() ? absolute : absolute.parent_path();
    lists = lists_of(frames_folder(given));
    if (lists.views.empty())
      return invalid("the folder holds no TIFF frames", path.string(), "Frames end in .tif or .tiff");
  } else {
    TL_TRY(TiffFile file, TiffFile::open(path));
    TL_TRY(const int64_t pages, file.pages());
    if (pages > 1) {
      lists.views = {absolute};
      take_references(absolute.parent_path(), {}, lists);
    } else {
      lists = lists_of(absolute.parent_path());
      lists.notes.push_back("One frame was named: its folder was read, " +
                            counted(static_cast<int64_t>(lists.views.size()), "file") + ".");
    }
  }
  TiffScanParts parts;
  TL_TRY(parts.views, tiff_frames(lists.views));
  TL_TRY(parts.flats, tiff_frames(lists.flats));
  TL_TRY(parts.darks, tiff_frames(lists.darks));
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "tiff_stack";
  info.notes = lists.notes;
  TL_TRY(measure_frames(parts, access));
  TL_TRY(apply_and_guess(access.choices, numbers_of_views(lists, parts), info));
  const fs::path folder = parts.views.front().file.parent_path();
  for (const TiffFrame& flat : parts.flats) {
    const bool after =
        is_taken_after_scan(flat.file.stem().string()) ||
        (flat.file.parent_path() != folder && is_taken_after_scan(flat.file.parent_path().filename().string()));
    info.flat_positions.push_back(after ? static_cast<double>(info.views) - 0.5 : -0.5);
  }
  return make_tiff_scan(std::move(parts), access.choices.order);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(tiff_stack) {
  return {"tiff_stack",
          "TIFF stack",
          ".tif .tiff",
          "A folder of TIFF frames with flats and darks, or one TIFF of many pages.",
          tl::io::sniff_tiff_stack,
          tl::io::open_tiff_stack_scan};
}
