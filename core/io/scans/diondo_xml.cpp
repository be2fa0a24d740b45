// Reads scans of Diondo scanners: an .xml file with the acquisition, and frames of plain uint16 in the folder
// Projection next to it, one a view: PREFIX_NUMBER.raw, where the prefix is the height (_0012,50).
//
// Elements as in TIGRE's loader of these scans: Geometrie holds SourceDetectorDist and SourceObjectDist [mm], Recon the
// size of the frames and of their pixels [mm] and ProjectionCount, the views of a full turn; TIGRE's angles are minus
// our gantry angles. How a helix rises has no public description.
#include <set>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/raw_scan.h"
#include "core/io/scans/scanner_file.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/xml_file.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

bool has_diondo_name(const fs::path& path) {
  if (lower_case(path.extension().string()) != ".xml") return false;
  const auto start = first_bytes(path, 1 << 16, Packing::none);
  if (!start.ok()) return false;
  const std::string text = lower_case(start.value());
  return text.find("<geometrie") != std::string::npos && text.find("<scanparameter") != std::string::npos;
}

int sniff_diondo_xml(const fs::path& path, const ScanAccess& /*access*/) {
  std::error_code failed;
  return scanner_files(path, has_diondo_name).empty() ? 0 : fs::is_directory(path, failed) ? 80 : 90;
}

bool is_diondo_frame(const fs::path& path) { return lower_case(path.extension().string()) == ".raw"; }

// The name without the number of the view.
std::string prefix_of_frame(const fs::path& file) {
  const std::string stem = file.stem().string();
  return stem.substr(0, stem.find_last_not_of("0123456789") + 1);
}

Result<std::vector<fs::path>> find_diondo_frames(const fs::path& file, const std::string& where) {
  std::vector<fs::path> frames;
  std::set<std::string> prefixes;
  for (const fs::path& sub : subfolders(file.parent_path())) {
    if (lower_case(sub.filename().string()) != "projection") continue;
    frames = files_in(sub, is_diondo_frame);
  }
  for (const fs::path& frame : frames) prefixes.insert(prefix_of_frame(frame));
  if (frames.empty())
    return invalid("there are no .raw frames in a folder Projection next to the file", where,
                   "Copy the frames of the scan into it");
  if (prefixes.size() > 1)
    return invalid("the folder Projection holds scans at " + counted(std::ssize(prefixes), "height") +
                       ", the first is " + printable(*prefixes.begin()),
                   where, "Move the frames of the others into folders of their own");
  return frames;
}

Result<void> read_diondo_cone(const XmlFile& file, ScanInfo& info) {
  const XmlElement& root = file.root();
  TL_TRY(const double to_detector, file.required(root, "Geometrie/SourceDetectorDist", believed_lengths));
  TL_TRY(const double to_axis, file.required(root, "Geometrie/SourceObjectDist", believed_lengths));
  TL_TRY(const double pixel_u, file.required(root, "Recon/ProjectionPixelSizeX", believed_lengths));
  TL_TRY(const double pixel_v, file.required(root, "Recon/ProjectionPixelSizeY", believed_lengths));
  if (to_detector < to_axis)
    return invalid(
        "the detector is nearer to the source than the object: SourceDetectorDist is less than "
        "SourceObjectDist",
        info.path.string(), "Correct the distances in the file");
  info.beam = Beam::cone;
  info.source_to_axis = {to_axis, Origin::file, "SourceObjectDist"};
  info.axis_to_detector = {to_detector - to_axis, Origin::file, "SourceDetectorDist - SourceObjectDist"};
  info.pixel_size_u = {pixel_u, Origin::file, "ProjectionPixelSizeX"};
  info.pixel_size_v = {pixel_v, Origin::file, "ProjectionPixelSizeY"};
  TL_TRY(const auto offset, file.number(root, "Recon/ProjectionCenterOffsetX", {-1e6, 1e6}));
  if (offset.value_or(0) != 0)
    info.notes.push_back(
        "The offset of the axis that the file states, ProjectionCenterOffsetX = " + formatted("%g", *offset) +
        ", is not applied, since its sign is not public: the axis is "
        "measured.");
  return ok();
}

Result<void> read_diondo_angles(const std::vector<fs::path>& frames, int64_t stated, const ScanChoices& choices,
                                ScanInfo& info) {
  TL_TRY(const std::vector<int64_t> indices, indices_of_frames(frames, stated, info));
  if (choices.gives_angles()) return ok();
  info.angles = {{}, Origin::guessed, "a full turn over ProjectionCount"};
  for (const int64_t i : indices)
    info.angles.value.push_back(2 * pi * static_cast<double>(i) / static_cast<double>(stated));
  info.notes.emplace_back("The file states no angles: ProjectionCount views are taken as a full turn.");
  info.notes.push_back(rotation_note("ProjectionCount"));
  return ok();
}

Result<std::unique_ptr<ScanReader>> open_diondo_xml(const fs::path& path, const ScanAccess& access) {
  TL_TRY(check_frames_are_views(access.choices, path, "Diondo"));
  std::error_code failed;
  TL_TRY(const fs::path text, only_scanner_file(path, scanner_files(path, has_diondo_name), "Diondo .xml file"));
  TL_TRY(const XmlFile file, XmlFile::open(fs::absolute(text, failed).lexically_normal()));
  for (const char* mode : {"HelixMode", "Laminography"})
    if (lower_case(XmlFile::text(file.root(), std::string("ScanParameter/") + mode).value_or("")) == "true")
      return unavailable(std::string("the scan is not on a circle: ") + mode + " is true", path.string(),
                         "How such a scan moves has no public description: read the frames as raw ones (raw_size)");
  RawScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "diondo_xml";
  TL_TRY(read_diondo_cone(file, info));
  TL_TRY(const int64_t cols, file.required_integer(file.root(), "Recon/ProjectionDimX", 1, int64_t{1} << 31));
  TL_TRY(const int64_t rows, file.required_integer(file.root(), "Recon/ProjectionDimY", 1, int64_t{1} << 31));
  TL_TRY(const int64_t stated, file.required_integer(file.root(), "Recon/ProjectionCount", 1, int64_t{1} << 24));
  TL_TRY(const std::vector<fs::path> frames, find_diondo_frames(file.file().path, path.string()));
  parts.headers = {file.file()};
  for (const fs::path& frame : frames) parts.views.push_back({frame, "uint16", ByteOrder::little, 1, rows, cols});
  guess_level(access.choices, info, parts.references);
  TL_TRY(measure_blocks(parts));
  TL_TRY(read_diondo_angles(frames, stated, access.choices, info));
  TL_TRY(apply(access.choices, info));
  return make_raw_scan(std::move(parts));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(diondo_xml) {
  return {"diondo_xml",
          "Diondo",
          ".xml",
          "An .xml file of a laboratory scanner, with its frames (.raw) in the folder Projection next to it.",
          tl::io::sniff_diondo_xml,
          tl::io::open_diondo_xml};
}
