// Reads scans of the ESRF in its data format (EDF): a folder of frames with flats, darks and an .info file, or one file
// of many images.
#include <algorithm>
#include <utility>

#include "core/base/printable.h"
#include "core/io/edf/references.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"
#include "core/io/text/frame_names.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

// Flats that are images of one file were taken at the same time.
Result<std::vector<EdfFrame>> flats_of(const std::vector<NumberedFile>& files) {
  TL_TRY(std::vector<EdfFrame> frames, edf_frames(files));
  for (EdfFrame& frame : frames)
    frame.number =
        std::find_if(files.begin(), files.end(), [&](const NumberedFile& f) { return f.file == frame.file; })->number;
  return frames;
}

void note_outside_files(const SourceFiles& sources, ScanInfo& info) {
  const auto outside = sources.outside();
  if (outside.empty()) return;
  info.outside.push_back(
      "Pixels are read from outside the scan's folder, as asked for: " + printable(outside.front().string()) +
      (outside.size() > 1 ? " and " + counted(static_cast<int64_t>(outside.size()) - 1, "other") : std::string()) +
      ".");
  info.notes.push_back(info.outside.back());
}

// Views with the numbers TOMO_N and more were taken after the scan, at angles already measured, to show what moved.
Result<void> leave_out_later_views(const EsrfInfo& stated, int64_t first, EdfScanParts& parts) {
  const auto is_later = [&](const EdfFrame& frame) { return *frame.number - first >= stated.views; };
  const auto later = static_cast<int64_t>(std::count_if(parts.views.begin(), parts.views.end(), is_later));
  if (later == static_cast<int64_t>(parts.views.size()))
    return invalid("no view has a number below TOMO_N = " + std::to_string(stated.views), parts.info.path.string(),
                   "Copy the missing frames, or correct " + stated.file.path.filename().string());
  std::erase_if(parts.views, is_later);
  if (later > 0)
    parts.info.notes.push_back(counted(later, "frame") + " with the number TOMO_N = " + std::to_string(stated.views) +
                               " or more, taken after the scan, left out.");
  return ok();
}

// Numbers count from 0; from 1 if there is none above TOMO_N.
int64_t first_number(const EdfScanParts& parts, int64_t views) {
  const int64_t first = *parts.views.front().number, last = *parts.views.back().number;
  return first == 1 && (views == 0 || last == views) ? 1 : 0;
}

void note_missing_views(int64_t first, EdfScanParts& parts) {
  const int64_t last = *parts.views.back().number;
  const int64_t missing = last - first + 1 - static_cast<int64_t>(parts.views.size());
  if (missing <= 0) return;
  int64_t expected = first;
  for (const EdfFrame& view : parts.views)
    if (*view.number == expected) ++expected;
  parts.info.outside.push_back(counted(missing, "view") + " below number " + std::to_string(last) +
                               " missing, the first is " + std::to_string(expected) + ". Angles follow the numbers.");
  parts.info.notes.push_back(parts.info.outside.back());
}

// The user's angles and those that are guessed: a view has that of its number.
Result<void> use_choices(const ScanChoices& choices, int64_t stated_views, EdfScanParts& parts) {
  ScanInfo& info = parts.info;
  std::vector<int64_t> indices;
  for (const EdfFrame& view : parts.views)
    if (view.number) indices.push_back(*view.number - first_number(parts, stated_views));
  const bool one_each = indices.size() == parts.views.size();
  if (one_each && indices.back() + 1 > info.views) {
    TL_TRY(apply_with_gaps(choices, indices, indices.back() + 1, info));
    note_missing_references(choices, info);
    return ok();
  }
  return apply_and_guess(choices, std::nullopt, info);
}

// Angle i of view i is i ScanRange / TOMO_N.
Result<void> use_numbers(const std::optional<EsrfInfo>& stated, const ScanChoices& choices, EdfScanParts& parts) {
  const int64_t views = stated ? stated->views : 0;
  const int64_t first = first_number(parts, views);
  if (views > 0) TL_TRY(leave_out_later_views(*stated, first, parts));
  note_missing_views(first, parts);
  ScanInfo& info = parts.info;
  if (static_cast<int64_t>(parts.views.size()) < views)
    info.notes.push_back("There are " + counted(static_cast<int64_t>(parts.views.size()), "view") + " of the " +
                         std::to_string(views) + " that TOMO_N states: the scan was cut short, or is not whole.");
  for (const EdfFrame& flat : parts.flats) {
    const auto is_before = [&](const EdfFrame& view) { return !flat.number || *view.number < *flat.number; };
    const bool after = flat.number ? true : is_taken_after_scan(edf_stem(flat.file));
    const auto before = after ? std::count_if(parts.views.begin(), parts.views.end(), is_before) : 0;
    info.flat_positions.push_back(static_cast<double>(before) - 0.5);
  }
  if (choices.gives_angles() || views == 0 || !stated->range) return ok();
  const double step = *stated->range / static_cast<double>(views);
  info.angles = {
      {}, Origin::file, "ScanRange / TOMO_N times the number (" + stated->file.path.filename().string() + ")"};
  for (const EdfFrame& view : parts.views)
    info.angles.value.push_back(step * static_cast<double>(*view.number - first));
  info.notes.push_back(rotation_note(info.angles.source));
  return ok();
}

void use_info_file(const EsrfInfo& stated, EdfScanParts& parts) {
  ScanInfo& info = parts.info;
  parts.other_files.push_back(stated.file);
  info.notes.insert(info.notes.end(), stated.notes.begin(), stated.notes.end());
  if (stated.pixel_size) info.pixel_size_u = info.pixel_size_v = *stated.pixel_size;
  info.energy = stated.energy;
  info.axis_to_detector = stated.axis_to_detector;
}

// The files of the scan: those of a folder, or one of many images with flats and darks next to it.
Result<EdfFolder> files_of_scan(const fs::path& path, ScanInfo& info) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed).lexically_normal();
  const fs::path given = absolute.has_filename() ? absolute : absolute.parent_path();
  const bool is_folder = fs::is_directory(given, failed);
  EdfFolder sorted;
  int64_t images = 1;
  if (!is_folder) {
    TL_TRY(const EdfFile file, EdfFile::open(given));
    images = static_cast<int64_t>(file.images().size());
  }
  const std::string wanted = is_folder ? given.filename().string() : images > 1 ? edf_stem(given) : prefix_of(given);
  sorted = sort_edf_folder(is_folder ? given : given.parent_path(), wanted);
  if (images > 1) {
    sorted.prefix = wanted;
    sorted.views = {{given, std::nullopt}};
    sorted.notes.clear();
  } else if (sorted.views.empty()) {
    return invalid("there is no EDF file called NAME and a number", path.string(),
                   "Frames are called, for example, scan_0000.edf; a file with all frames of a scan is opened itself");
  } else if (!is_folder) {
    info.notes.push_back("One frame was named: its folder was read, " +
                         counted(static_cast<int64_t>(sorted.views.size()), "file") + ".");
  }
  return sorted;
}

// A folder with more TIFF than EDF frames is one of TIFF.
int sniff_esrf_edf(const fs::path& path, const ScanAccess& /*access*/) {
  constexpr int more_than_tiff = 65, less_than_tiff = 55;
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return is_edf_name(path) && EdfFile::is_edf(path) ? 80 : 0;
  const std::size_t frames = edf_files(path).size();
  return frames == 0 ? 0 : frames >= tiff_files(path).size() ? more_than_tiff : less_than_tiff;
}

Result<std::unique_ptr<ScanReader>> open_esrf_edf(const fs::path& path, const ScanAccess& access) {
  if (!access.choices.angles_dataset.empty())
    return invalid("EDF frames hold no datasets", path.string(),
                   "Give the angles as a text file or as first angle and step");
  if (access.choices.order == FrameOrder::sinograms)
    return invalid("EDF frames are views, not sinograms", path.string(), "Leave the order of the frames to the file");
  EdfScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "esrf_edf";
  TL_TRY(const EdfFolder folder, files_of_scan(path, info));
  for (const auto* notes : {&folder.notes_on_flats, &folder.notes_on_darks, &folder.notes})
    info.notes.insert(info.notes.end(), notes->begin(), notes->end());
  std::optional<EsrfInfo> stated;
  if (const auto file = find_esrf_info(folder.views.front().file.parent_path(), folder.prefix)) {
    TL_TRY(stated, read_esrf_info(*file));
    use_info_file(*stated, parts);
  }
  TL_TRY(parts.views, edf_frames(folder.views));
  TL_TRY(parts.flats, flats_of(folder.flats));
  std::vector<NumberedFile> darks;
  for (const fs::path& file : folder.darks) darks.push_back({file, std::nullopt});
  TL_TRY(parts.darks, edf_frames(darks));
  divide_sum_of_darks(stated, folder.dark_files, parts);
  TL_TRY(use_numbers(stated, access.choices, parts));
  for (const auto* frames : {&parts.views, &parts.flats, &parts.darks})
    TL_TRY(find_files_with_pixels(*frames, *access.sources, parts));
  note_outside_files(*access.sources, info);
  TL_TRY(measure_edf_frames(parts, access));
  TL_TRY(use_choices(access.choices, stated ? stated->views : 0, parts));
  return make_edf_scan(std::move(parts));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(esrf_edf) {
  return {"esrf_edf",
          "ESRF EDF",
          ".edf",
          "A folder of EDF frames with refHST, dark and .info files, or one EDF file of many images.",
          tl::io::sniff_esrf_edf,
          tl::io::open_esrf_edf};
}
