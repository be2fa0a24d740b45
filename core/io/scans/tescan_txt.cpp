// Reads scans of Tescan UniTOM scanners: a .txt file with the acquisition, and TIFF frames BASENAME NUMBER next to it,
// with di*.tif (darks) and io*.tif (flats).
//
// Keys as in the public reader of the Warwick Manufacturing Group for CIL: SOD and SDD are the distances of the source
// to the object and to the detector, "Binned pixelsize (mm)" is that of the frames. "total projections" counts one
// frame too many: the views are equally spaced from "CT start angle" to "CT stop angle", the stop not included. The
// angles of CIL are minus our gantry angles.
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/scanner_file.h"
#include "core/io/text/frame_names.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr const char *tescan_pixel_key = "Binned pixelsize (mm)", *tescan_count_key = "total projections";

Result<KeyValueFile> open_tescan_file(const fs::path& path) {
  return KeyValueFile::open(path, KeyCase::is_ignored, DecimalSign::point_or_comma);
}

bool is_tescan_txt(const fs::path& path) {
  if (lower_case(path.extension().string()) != ".txt") return false;
  const auto file = open_tescan_file(path);
  if (!file.ok()) return false;
  const auto distance = file.value().text("SOD"), pixel = file.value().text(tescan_pixel_key);
  return distance.ok() && pixel.ok() && distance.value() && pixel.value();
}

int sniff_tescan_txt(const fs::path& path, const ScanAccess& /*access*/) {
  std::error_code failed;
  return scanner_files(path, is_tescan_txt).empty() ? 0 : fs::is_directory(path, failed) ? 80 : 90;
}

Result<void> read_tescan_cone(const KeyValueFile& file, ScanInfo& info) {
  TL_TRY(const double to_axis, file.required("SOD", believed_lengths));
  TL_TRY(const double to_detector, file.required("SDD", believed_lengths));
  TL_TRY(const double pixel, file.required(tescan_pixel_key, believed_lengths));
  if (to_detector < to_axis)
    return invalid("the detector is nearer to the source than the object: SDD is less than SOD", info.path.string(),
                   "Correct the distances in the file");
  info.beam = Beam::cone;
  info.pixel_size_u = info.pixel_size_v = {pixel, Origin::file, tescan_pixel_key};
  info.source_to_axis = {to_axis, Origin::file, "SOD"};
  info.axis_to_detector = {to_detector - to_axis, Origin::file, "SDD - SOD"};
  return ok();
}

Result<void> read_tescan_angles(const KeyValueFile& file, const std::vector<fs::path>& frames, int64_t stated,
                                const ScanChoices& choices, ScanInfo& info) {
  TL_TRY(const std::vector<int64_t> indices, indices_of_frames(frames, stated, info));
  if (choices.gives_angles()) return ok();
  TL_TRY(const double start, file.required("CT start angle", believed_angles));
  TL_TRY(const double stop, file.required("CT stop angle", believed_angles));
  if (start == stop && info.views > 1)
    return invalid("CT start angle is CT stop angle: all views have the same angle", info.path.string(),
                   advice_on_angles());
  info.angles = {{}, Origin::file, "-(CT start angle + i (stop - start) / views)"};
  for (const int64_t i : indices)
    info.angles.value.push_back(
        -to_stored(start + static_cast<double>(i) * (stop - start) / static_cast<double>(stated), Unit::deg));
  info.notes.push_back(rotation_note("CT start angle"));
  return ok();
}

// Flats and darks next to the frames, by their names.
void find_tescan_references(const fs::path& folder, TiffScanParts& parts) {
  for (const fs::path& file : tiff_files(folder)) {
    const FrameKind kind = frame_kind(file.stem().string());
    if (kind == FrameKind::flat) parts.flats.push_back({file, 0});
    if (kind == FrameKind::dark) parts.darks.push_back({file, 0});
  }
}

Result<std::unique_ptr<ScanReader>> open_tescan_txt(const fs::path& path, const ScanAccess& access) {
  TL_TRY(check_frames_are_views(access.choices, path, "Tescan"));
  std::error_code failed;
  TL_TRY(const fs::path text, only_scanner_file(path, scanner_files(path, is_tescan_txt), "Tescan .txt file"));
  TL_TRY(const KeyValueFile file, open_tescan_file(fs::absolute(text, failed).lexically_normal()));
  TiffScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "tescan_txt";
  TL_TRY(read_tescan_cone(file, info));
  TL_TRY(const int64_t counted_frames, file.required_integer(tescan_count_key, 2, int64_t{1} << 24));
  const int64_t stated = counted_frames - 1;
  TL_TRY(const auto prefix, file.text("basename"));
  find_tescan_references(file.file().path.parent_path(), parts);
  const std::string stem = file.file().path.stem().string(), name = prefix.value_or(stem);
  TL_TRY(std::vector<fs::path> frames,
         numbered_scanner_frames(file.file().path, {name, name + "_", stem, stem + "_"}, info,
                                 std::ssize(parts.flats) + std::ssize(parts.darks)));
  TL_TRY(leave_out_frame_behind(stated, std::string(tescan_count_key) + " counts one frame more than there are views",
                                frames, info));
  parts.text_files = {file.file()};
  for (const fs::path& frame : frames) parts.views.push_back({frame, 0});
  TL_TRY(measure_frames(parts, access));
  TL_TRY(const int64_t rows, file.required_integer("Rows", 1, int64_t{1} << 31));
  TL_TRY(const int64_t cols, file.required_integer("Columns", 1, int64_t{1} << 31));
  TL_TRY(check_frame_size(info, rows, cols, "Rows and Columns"));
  info.flat_positions.assign(parts.flats.size(), -0.5);
  info.notes.emplace_back(
      "The file does not say whether frames are mirrored left to right: they are taken as they are stored.");
  TL_TRY(read_tescan_angles(file, frames, stated, access.choices, info));
  TL_TRY(apply(access.choices, info));
  note_missing_references(access.choices, info);
  return make_tiff_scan(std::move(parts), access.choices.order);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(tescan_txt) {
  return {"tescan_txt",
          "Tescan UniTOM",
          ".txt",
          "A .txt file of a laboratory scanner, with its TIFF frames, di*.tif and io*.tif next to it.",
          tl::io::sniff_tescan_txt,
          tl::io::open_tescan_txt};
}
