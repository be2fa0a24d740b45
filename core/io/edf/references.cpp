// Opens EDF flats and darks that the user names.
#include "core/io/edf/references.h"

#include "core/io/text/frame_names.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

struct ReferenceFiles {
  std::vector<NumberedFile> files;
  DarkFiles dark_files = DarkFiles::averaged;
  std::string prefix;  // name prefix of the views in the same folder
  std::vector<std::string> notes;
};

std::vector<NumberedFile> without_numbers(const std::vector<fs::path>& files) {
  std::vector<NumberedFile> all;
  for (const fs::path& file : files) all.push_back({file, std::nullopt});
  return all;
}

Result<ReferenceFiles> reference_files(const fs::path& path, Frames kind) {
  std::error_code failed;
  const bool is_folder = fs::is_directory(path, failed);
  const fs::path folder = is_folder ? path : path.parent_path();
  const EdfFolder sorted = sort_edf_folder(folder, folder.filename().string());
  ReferenceFiles found;
  found.prefix = sorted.prefix;
  if (!is_folder) {
    found.files = {{path, std::nullopt}};
    found.dark_files = dark_files_of(path);
    return found;
  }
  found.dark_files = sorted.dark_files;
  found.files = kind == Frames::flats ? sorted.flats : without_numbers(sorted.darks);
  found.notes = kind == Frames::flats ? sorted.notes_on_flats : sorted.notes_on_darks;
  if (!found.files.empty()) return found;
  found.dark_files = DarkFiles::averaged;
  const bool kinds_are_named = !sorted.flats.empty() || !sorted.darks.empty();
  found.files = kinds_are_named ? sorted.views : without_numbers(edf_files(path));
  if (found.files.empty())
    return invalid(std::string("the folder has no ") + (kind == Frames::flats ? "flats" : "darks"), path.string(),
                   std::string("It has ") + (kind == Frames::flats ? "darks" : "flats") +
                       " only: name another folder, or one file");
  return found;
}

}  // namespace

void divide_sum_of_darks(const std::optional<EsrfInfo>& stated, DarkFiles dark_files, EdfScanParts& parts) {
  if (dark_files != DarkFiles::as_measured || parts.darks.size() != 1) return;
  const std::string name = parts.darks.front().file.filename().string();
  if (!stated || stated->darks == 0) {
    parts.info.notes.push_back(name + " may be the sum of several darks; how many is not known: it counts as one.");
  } else if (stated->darks > 1) {
    parts.dark_sum = static_cast<double>(stated->darks);
    parts.info.notes.push_back(name + " counts as the sum of DARK_N = " + std::to_string(stated->darks) +
                               " darks, and is divided by it.");
  }
}

Result<std::unique_ptr<ScanReader>> open_edf_references(const fs::path& path, Frames kind, const ScanAccess& access) {
  TL_TRY(const ReferenceFiles found, reference_files(path, kind));
  EdfScanParts parts;
  parts.info.path = path;
  parts.info.format = frames_format;
  parts.info.notes = found.notes;
  TL_TRY(parts.views, edf_frames(found.files));
  if (kind == Frames::darks && found.dark_files == DarkFiles::as_measured && parts.views.size() == 1) {
    parts.darks = parts.views;
    std::optional<EsrfInfo> stated;
    if (const auto file = find_esrf_info(found.files.front().file.parent_path(), found.prefix)) {
      TL_TRY(stated, read_esrf_info(*file));
      parts.other_files.push_back(stated->file);
    }
    divide_sum_of_darks(stated, found.dark_files, parts);
  }
  TL_TRY(find_files_with_pixels(parts.views, *access.sources, parts));
  TL_TRY(measure_edf_frames(parts, access));
  return make_edf_scan(std::move(parts));
}

}  // namespace tl::io
