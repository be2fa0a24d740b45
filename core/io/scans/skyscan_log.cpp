// Reads Bruker SkyScan scans: a .log file with the acquisition, and TIFF frames PREFIX NUMBER next to it.
//
// Units and keys as the scanner's program writes them (mm, um at the object, degrees); the case of keys changes between
// its versions. A distance to the source above 10 m means a parallel beam, as for NRecon. "Optical Axis (line)" is the
// row in which rays meet the detector at right angles, counted from the bottom, as in TIGRE's loader of these scans.
// What the format leaves open (the sense of rotation, the sign of "Image Rotation", shifts in a .csv) is said in notes
// and not applied.
#include <algorithm>
#include <cmath>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/wording.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/scanner_file.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/key_value_file.h"
#include "core/io/tiff/scan.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr Bounds row_numbers{0, 1e9}, air_levels{1, 65535};
constexpr double parallel_from = 10'000;  // [mm]

// Keys of one value, as versions of the program write it.
using Keys = std::initializer_list<const char*>;
constexpr const char* object_to_source_key = "Object to Source (mm)";
constexpr const char* pixel_size_key = "Image Pixel Size (um)";

Result<std::optional<Found<double>>> number_at(const KeyValueFile& file, Keys keys, Bounds bounds) {
  for (const char* key : keys) {
    TL_TRY(const std::optional<double> value, file.number(key, bounds));
    if (value) return std::optional(Found<double>{*value, Origin::file, key});
  }
  return std::optional<Found<double>>();
}

Result<std::string> text_at(const KeyValueFile& file, Keys keys) {
  for (const char* key : keys) {
    TL_TRY(const std::optional<std::string> value, file.text(key));
    if (value) return *value;
  }
  return std::string();
}

// Logs of the scanner, without those that NRecon writes next to slices.
bool has_log_name(const fs::path& path) {
  const std::string name = lower_case(path.filename().string());
  return name.ends_with(".log") && !name.ends_with("_rec.log");
}

bool is_skyscan_log(const fs::path& path) {
  if (!has_log_name(path)) return false;
  const auto file = KeyValueFile::open(path, KeyCase::is_ignored);
  if (!file.ok()) return false;
  const auto distance = file.value().text(object_to_source_key), pixel = file.value().text(pixel_size_key);
  return distance.ok() && pixel.ok() && distance.value() && pixel.value();
}

// A folder with such a file is not a mere stack of frames: opened as one, it would have guessed angles and distances.
int sniff_skyscan_log(const fs::path& path, const ScanAccess& /*access*/) {
  std::error_code failed;
  return scanner_files(path, is_skyscan_log).empty() ? 0 : fs::is_directory(path, failed) ? 80 : 90;
}

Result<void> read_geometry(const KeyValueFile& file, ScanInfo& info) {
  TL_TRY(const std::string path, text_at(file, {"Scanning Trajectory"}));
  if (!path.empty() && lower_case(path) != "round")
    return unavailable("the source moves along a path that is not a circle: Scanning Trajectory=" + printable(path),
                       info.path.string(), "Scans of the trajectory ROUND are read");
  TL_TRY(const double to_object, file.required(object_to_source_key, believed_lengths));
  TL_TRY(const double size, file.required(pixel_size_key, believed_lengths));
  TL_TRY(const auto to_camera, number_at(file, {"Camera to Source (mm)", "Camera to Source"}, believed_lengths));
  const double at_object = 1e-3 * size;  // [mm]
  info.pixel_size_u = info.pixel_size_v = {at_object, Origin::file, pixel_size_key};
  if (to_object >= parallel_from) {
    info.beam = Beam::parallel;
    return ok();
  }
  info.beam = Beam::cone;
  info.source_to_axis = {to_object, Origin::file, object_to_source_key};
  if (!to_camera) {
    info.axis_to_detector = {0, Origin::file, pixel_size_key};
    info.notes.emplace_back(
        "The file does not say where the camera is: the detector stands at the axis, with pixels as large as they are "
        "there, which is the same scan.");
    return ok();
  }
  if (to_camera->value < to_object)
    return invalid("the camera is nearer to the source than the object: Camera to Source is less than Object to Source",
                   info.path.string(), "Correct the distances in the file");
  info.axis_to_detector = {to_camera->value - to_object, Origin::file, "Camera to Source - Object to Source"};
  for (Found<double>* pixel : {&info.pixel_size_u, &info.pixel_size_v})
    *pixel = {at_object * to_camera->value / to_object, Origin::file,
              std::string(pixel_size_key) + " x Camera to Source / Object to Source"};
  return ok();
}

// Numbers that change the geometry and whose sense is not public, or that NRecon alone uses.
Result<void> note_what_is_not_applied(const KeyValueFile& file, ScanInfo& info) {
  TL_TRY(const auto rotation, number_at(file, {"Image Rotation"}, believed_angles));
  if (rotation && rotation->value != 0)
    info.notes.push_back("Image Rotation, " + format_quantity(rotation->value, Unit::deg) +
                         ", is not applied, since its sign is not public: set or learn the tilt of the axis (" +
                         two_wordings("geometry.set, parameter tilt", "node Set geometry, Tilt") + ").");
  TL_TRY(const auto ratio, number_at(file, {"Camera X/Y Ratio", "CameraXYRatio"}, {1e-3, 1e3}));
  if (ratio && std::abs(ratio->value - 1) > 1e-3) {
    info.pixel_size_v.origin = Origin::guessed;
    info.notes.push_back("Pixels are taken as square, although the ratio of the camera's pixels is " +
                         formatted("%g", ratio->value) + ".");
  }
  const fs::path log = file.file().path;
  const auto has_csv_name = [](const fs::path& path) { return lower_case(path.extension().string()) == ".csv"; };
  for (const fs::path& csv : files_in(log.parent_path(), has_csv_name))
    if (lower_case(csv.filename().string()).starts_with(lower_case(log.stem().string())))
      info.notes.push_back("Shifts per view in " + printable(csv.filename().string()) + " are not applied.");
  return ok();
}

Result<void> read_optical_axis(const KeyValueFile& file, ScanInfo& info) {
  TL_TRY(const auto line, number_at(file, {"Optical Axis (line)"}, row_numbers));
  if (!line || info.beam == Beam::parallel) return ok();
  const double shift = line->value - 0.5 * static_cast<double>(info.rows - 1);
  if (std::abs(shift) > 0.5 * static_cast<double>(info.rows))
    info.notes.push_back("Optical Axis (line), " + formatted("%g", line->value) + ", is not a row of the frames.");
  if (shift == 0) return ok();
  info.shift_v = {std::vector<double>(static_cast<std::size_t>(info.views), shift), Origin::file, line->source};
  info.notes.push_back("Rays meet the detector at right angles in row " + formatted("%g", line->value) +
                       " from the bottom (Optical Axis).");
  return ok();
}

// The first number of a name is angle 0 of the scan; one that no file has is a view that is missing.
Result<void> read_log_angles(const KeyValueFile& file, const std::vector<fs::path>& frames, const ScanChoices& choices,
                             ScanInfo& info) {
  TL_TRY(const int64_t stated, file.required_integer("Number of Files", 1, int64_t{1} << 24));
  TL_TRY(const std::vector<int64_t> indices, indices_of_frames(frames, stated, info));
  if (choices.gives_angles()) return ok();
  TL_TRY(const double step, file.required("Rotation Step (deg)", believed_steps));
  if (step == 0 && info.views > 1)
    return invalid("Rotation Step is 0: all views have the same angle", info.path.string(), advice_on_angles());
  TL_TRY(const auto start, number_at(file, {"Scanning Start Angle"}, believed_angles));
  info.angles = {{}, Origin::file, "i Rotation Step"};
  for (const int64_t i : indices)
    info.angles.value.push_back(to_stored((start ? start->value : 0) + static_cast<double>(i) * step, Unit::deg));
  info.notes.push_back(rotation_note("Rotation Step"));
  return ok();
}

// Frames that the scanner has divided by its flats have one level of air.
Result<void> read_air_level(const KeyValueFile& file, const ScanChoices& choices, TiffScanParts& parts) {
  if (choices.kind().value_or(PixelKind::counts) != PixelKind::counts || choices.names_flats()) return ok();
  TL_TRY(const std::string corrected, text_at(file, {"Flat Field Correction"}));
  if (lower_case(corrected) == "off") {
    parts.info.notes.emplace_back("The scanner has not corrected the frames (Flat Field Correction=OFF): give flats.");
    return ok();
  }
  TL_TRY(const auto level, number_at(file, {"Reference Intensity"}, air_levels));
  if (level)
    divide_by_level(level->value, level->source, parts.info, parts.references);
  else
    guess_level(choices, parts.info, parts.references);
  return ok();
}

Result<std::unique_ptr<ScanReader>> open_skyscan_log(const fs::path& path, const ScanAccess& access) {
  TL_TRY(check_frames_are_views(access.choices, path, "SkyScan"));
  std::error_code failed;
  TL_TRY(const fs::path text, only_scanner_file(path, scanner_files(path, is_skyscan_log), "SkyScan .log file"));
  TL_TRY(const KeyValueFile file, KeyValueFile::open(fs::absolute(text, failed).lexically_normal(), KeyCase::is_ignored,
                                                     DecimalSign::point_or_comma));
  TiffScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "skyscan_log";
  TL_TRY(read_geometry(file, info));
  TL_TRY(const std::string prefix, text_at(file, {"Filename Prefix"}));
  TL_TRY(const std::vector<fs::path> frames,
         numbered_scanner_frames(file.file().path, {prefix, file.file().path.stem().string()}, info));
  TL_TRY(read_air_level(file, access.choices, parts));
  parts.text_files = {file.file()};
  for (const fs::path& frame : frames) parts.views.push_back({frame, 0});
  TL_TRY(measure_frames(parts, access));
  TL_TRY(const int64_t rows, file.required_integer("Number of Rows", 1, int64_t{1} << 31));
  TL_TRY(const int64_t cols, file.required_integer("Number of Columns", 1, int64_t{1} << 31));
  TL_TRY(check_frame_size(info, rows, cols, "Number of Rows and Columns"));
  TL_TRY(read_optical_axis(file, info));
  TL_TRY(note_what_is_not_applied(file, info));
  TL_TRY(read_log_angles(file, frames, access.choices, info));
  TL_TRY(apply(access.choices, info));
  return make_tiff_scan(std::move(parts), access.choices.order);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(skyscan_log) {
  return {"skyscan_log",
          "Bruker SkyScan",
          ".log",
          "A .log file of a laboratory scanner, with its TIFF frames next to it.",
          tl::io::sniff_skyscan_log,
          tl::io::open_skyscan_log};
}
