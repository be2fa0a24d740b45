// Reads scans of phoenix scanners (GE, Waygate): a .pca file with the acquisition, and TIFF frames NAME NUMBER next to
// it.
//
// Keys as in public readers: FDD and FOD are the distances from the focus to the detector and to the object [mm],
// PixelsizeX and PixelsizeY those of the detector [mm], RotationSector the angle over NumberImages frames [degrees].
// The angle of the first frame is not stated; a frame more than NumberImages repeats the first.
#include <algorithm>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/scanner_file.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

bool is_phoenix_pca(const fs::path& path) {
  if (lower_case(path.extension().string()) != ".pca") return false;
  const auto file = KeyValueFile::open(path, KeyCase::is_ignored);
  if (!file.ok()) return false;
  const auto detector = file.value().text("FDD"), object = file.value().text("FOD");
  return detector.ok() && object.ok() && detector.value() && object.value();
}

int sniff_phoenix_pca(const fs::path& path, const ScanAccess& /*access*/) {
  std::error_code failed;
  return scanner_files(path, is_phoenix_pca).empty() ? 0 : fs::is_directory(path, failed) ? 80 : 90;
}

Result<void> read_cone(const KeyValueFile& file, ScanInfo& info) {
  TL_TRY(const double to_detector, file.required("FDD", believed_lengths));
  TL_TRY(const double to_object, file.required("FOD", believed_lengths));
  TL_TRY(const double pixel_u, file.required("PixelsizeX", believed_lengths));
  TL_TRY(const std::optional<double> pixel_v, file.number("PixelsizeY", believed_lengths));
  if (to_detector < to_object)
    return invalid("the detector is nearer to the source than the object: FDD is less than FOD", info.path.string(),
                   "Correct the distances in the file");
  info.beam = Beam::cone;
  info.pixel_size_u = {pixel_u, Origin::file, "PixelsizeX"};
  info.pixel_size_v = {pixel_v.value_or(pixel_u), Origin::file, pixel_v ? "PixelsizeY" : "PixelsizeX"};
  info.source_to_axis = {to_object, Origin::file, "FOD"};
  info.axis_to_detector = {to_detector - to_object, Origin::file, "FDD - FOD"};
  return ok();
}

// Equal steps by the numbers of the frames.
Result<void> read_sector(const KeyValueFile& file, const std::vector<fs::path>& frames, int64_t stated,
                         const ScanChoices& choices, ScanInfo& info) {
  TL_TRY(const std::vector<int64_t> indices, indices_of_frames(frames, stated, info));
  if (choices.gives_angles()) return ok();
  TL_TRY(const double sector, file.required("RotationSector", believed_angles));
  if (sector == 0 && info.views > 1)
    return invalid("RotationSector is 0: all views have the same angle", info.path.string(), advice_on_angles());
  info.angles = {{}, Origin::file, "i RotationSector / NumberImages"};
  for (const int64_t i : indices)
    info.angles.value.push_back(to_stored(static_cast<double>(i) * sector / static_cast<double>(stated), Unit::deg));
  info.notes.emplace_back("The first angle is not stated: it is taken as 0.");
  info.notes.push_back(rotation_note("RotationSector"));
  return ok();
}

Result<std::unique_ptr<ScanReader>> open_phoenix_pca(const fs::path& path, const ScanAccess& access) {
  TL_TRY(check_frames_are_views(access.choices, path, "phoenix"));
  std::error_code failed;
  TL_TRY(const fs::path text, only_scanner_file(path, scanner_files(path, is_phoenix_pca), "phoenix .pca file"));
  TL_TRY(const KeyValueFile file, KeyValueFile::open(fs::absolute(text, failed).lexically_normal(), KeyCase::is_ignored,
                                                     DecimalSign::point_or_comma));
  TiffScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "phoenix_pca";
  TL_TRY(read_cone(file, info));
  TL_TRY(const int64_t stated, file.required_integer("NumberImages", 1, int64_t{1} << 24));
  const std::string stem = file.file().path.stem().string();
  TL_TRY(std::vector<fs::path> frames, numbered_scanner_frames(file.file().path, {stem + "_", stem}, info));
  TL_TRY(leave_out_frame_behind(stated, "it repeats the first view", frames, info));
  guess_level(access.choices, info, parts.references);
  parts.text_files = {file.file()};
  for (const fs::path& frame : frames) parts.views.push_back({frame, 0});
  TL_TRY(measure_frames(parts, access));
  TL_TRY(read_sector(file, frames, stated, access.choices, info));
  TL_TRY(apply(access.choices, info));
  return make_tiff_scan(std::move(parts), access.choices.order);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(phoenix_pca) {
  return {"phoenix_pca",
          "phoenix (GE, Waygate)",
          ".pca",
          "A .pca file of a laboratory scanner, with its TIFF frames next to it.",
          tl::io::sniff_phoenix_pca,
          tl::io::open_phoenix_pca};
}
