// Opens the flats and darks that the user names, and joins them to a scan.
#include "core/io/scans/references.h"

#include <algorithm>

#include "core/base/wording.h"
#include "core/io/edf/references.h"
#include "core/io/hdf5/scan.h"
#include "core/io/hdf5/tree.h"
#include "core/io/hdf5/tree_text.h"
#include "core/io/reader/joined_scan.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/scan_formats.h"
#include "core/io/text/frame_names.h"
#include "core/io/tiff/file.h"
#include "core/io/tiff/scan.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

struct NamedReferences {
  fs::path file;
  std::string dataset;
  Frames kind = Frames::flats;

  [[nodiscard]] std::string where() const { return file.string() + (dataset.empty() ? "" : ":" + dataset); }
  [[nodiscard]] const char* name() const { return kind == Frames::flats ? "flats" : "darks"; }
};

// The files whose names say that they are of this kind, or all if none does.
std::vector<fs::path> frames_by_name(const std::vector<fs::path>& files, FrameKind kind) {
  std::vector<fs::path> chosen;
  std::copy_if(files.begin(), files.end(), std::back_inserter(chosen),
               [&](const fs::path& file) { return frame_kind(file.stem().string()) == kind; });
  return chosen.empty() ? files : chosen;
}

// The dataset of an HDF5 file of no known layout: the only one that has frames.
Result<std::string> only_frames(const NamedReferences& named) {
  constexpr std::size_t max_listed = 5;
  TL_TRY(const Hdf5Tree tree, read_hdf5_tree_here(named.file));
  const std::vector<std::string> found = possible_frames(tree);
  if (found.size() == 1) return found.front();
  std::string list;
  for (std::size_t i = 0; i < std::min(found.size(), max_listed); ++i) list += (i > 0 ? ", " : "") + found[i];
  const std::string option = std::string("--") + named.name() + " FILE.h5:/PATH/IN/FILE";
  return invalid(
      std::string("which of its datasets are the ") + named.name() + " is not said", named.where(),
      two_wordings("Name it: " + option, std::string("Fill in ") + (named.kind == Frames::flats ? "F" : "D") +
                                             (named.name() + 1) + " in the file") +
          (list.empty() ? ". None has three dimensions" : ". It holds " + list));
}

// The scan that the file is.
Result<FrameRun> references_of_scan(const NamedReferences& named, const ScanAccess& access) {
  auto scan = open_scan_here(named.file, {}, access);
  if (scan.ok()) {
    std::shared_ptr<ScanReader> reader = std::move(scan).value();
    const ScanInfo& info = reader->info();
    const bool has = (named.kind == Frames::flats ? info.flats : info.darks) > 0;
    if (!has && info.views == 0)
      return invalid(std::string("the file has no ") + named.name(), named.where(),
                     "It has " + counted(info.flats, "flat") + " and " + counted(info.darks, "dark") +
                         ": name another file, or the dataset in it");
    return whole_run(std::move(reader), has ? named.kind : Frames::views);
  }
  if (!Hdf5File::is_hdf5(named.file) || scan.error().kind != ErrorKind::invalid) return scan.error();
  TL_TRY(const std::string dataset, only_frames(named));
  TL_TRY(std::shared_ptr<ScanReader> reader, open_hdf5_frames(named.file, dataset, access.sources));
  return whole_run(std::move(reader), Frames::views);
}

// `scan` has the projections; it takes the notes on what of EDF files is read.
Result<FrameRun> open_references(const NamedReferences& named, const ScanAccess& given, ScanInfo& scan) {
  std::error_code failed;
  const fs::path& file = named.file;
  if (!fs::exists(file, failed))
    return io_error(std::string("the file with ") + named.name() + " does not exist", file.string(), "Check the path");
  ScanAccess access{given.sources, given.threads, {}, Content::frames_only};
  access.choices.raw = given.choices.raw;
  access.choices.raw.size = size_of_frame(given.choices.raw.size);
  // The size that was given for sinograms is not that of a flat.
  if (given.choices.order == FrameOrder::sinograms && !access.choices.raw.size.empty() && scan.format == "raw_frames")
    access.choices.raw.size = std::to_string(scan.cols) + "x" + std::to_string(scan.rows);
  access.sources->admit(file);
  if (!named.dataset.empty()) {
    TL_TRY(std::shared_ptr<ScanReader> reader, open_hdf5_frames(file, named.dataset, access.sources));
    return whole_run(std::move(reader), Frames::views);
  }
  const bool is_folder = fs::is_directory(file, failed);
  const FrameKind kind = named.kind == Frames::flats ? FrameKind::flat : FrameKind::dark;
  const std::vector<fs::path> tiffs = is_folder                 ? frames_by_name(tiff_files(file), kind)
                                      : TiffFile::is_tiff(file) ? std::vector{file}
                                                                : std::vector<fs::path>();
  const std::size_t edfs = is_folder ? edf_files(file).size() : is_edf_name(file) && EdfFile::is_edf(file) ? 1 : 0;
  if (tiffs.empty() && edfs == 0) return references_of_scan(named, access);
  if (tiffs.size() >= edfs) {
    TL_TRY(std::shared_ptr<ScanReader> reader, open_tiff_frames(tiffs, file, access));
    return whole_run(std::move(reader), Frames::views);
  }
  TL_TRY(std::shared_ptr<ScanReader> reader, open_edf_references(file, named.kind, access));
  const std::vector<std::string>& notes = reader->info().notes;
  scan.notes.insert(scan.notes.end(), notes.begin(), notes.end());
  const bool is_sum = reader->info().darks > 0;
  return whole_run(std::move(reader), is_sum ? Frames::darks : Frames::views);
}

// What is named of one kind; no file: the scan's.
std::optional<NamedReferences> named_references(const ScanChoices& c, const ScanInfo& info, Frames kind) {
  const auto& [file, dataset] =
      kind == Frames::flats ? std::tie(c.flats_file, c.flats) : std::tie(c.darks_file, c.darks);
  if (file.empty() && dataset.empty()) return std::nullopt;
  std::error_code failed;
  const fs::path absolute = fs::absolute(file.empty() ? info.path : file, failed).lexically_normal();
  return NamedReferences{absolute.has_filename() ? absolute : absolute.parent_path(), dataset, kind};
}

void note_origin(const NamedReferences& named, const FrameRun& run, ScanInfo& info) {
  const bool are_views_of_a_scan = run.kind == Frames::views && run.reader->info().format != frames_format;
  info.notes.push_back(std::string(named.kind == Frames::flats ? "Flats" : "Darks") + " come from " + named.where() +
                       ", as asked for: " + counted(run.frames.size(), "frame") +
                       (are_views_of_a_scan ? ", its views, because it has no " + std::string(named.name()) : "") +
                       ".");
}

}  // namespace

Result<std::unique_ptr<ScanReader>> with_chosen_references(std::unique_ptr<ScanReader> scan, const ScanAccess& access) {
  if (!access.choices.names_references()) return scan;
  const std::shared_ptr<ScanReader> base = std::move(scan);
  JoinedScanParts parts{base->info(), {whole_run(base, Frames::views)}, {}, {}};
  ScanInfo& info = parts.info;
  for (const Frames kind : {Frames::flats, Frames::darks}) {
    auto& runs = kind == Frames::flats ? parts.flats : parts.darks;
    const auto named = named_references(access.choices, base->info(), kind);
    if (!named) {
      runs = {whole_run(base, kind)};
      continue;
    }
    TL_TRY(FrameRun run, open_references(*named, access, info));
    run.where = named->where();
    if (kind == Frames::flats) info.flat_positions.assign(static_cast<std::size_t>(run.frames.size()), -0.5);
    note_origin(*named, run, info);
    take_outside_notes(run.reader->info(), info);
    runs = {std::move(run)};
  }
  return join_scans(std::move(parts));
}

}  // namespace tl::io
