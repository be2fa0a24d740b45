// Reads Nikon/X-Tek scans: an .xtekct file with the geometry, and a folder of TIFF frames.
//
// Conventions as in CIL's NikonDataReader (DetectorOffsetX and Y as in its earlier versions). In the laboratory, x to
// the right as seen from the source, y along the beam and z up, lengths in mm:
//   source (0, -SrcToObject, 0); centre of the detector (-DetectorOffsetX, SrcToDetector - SrcToObject,
//   DetectorOffsetY); row 0 at its top, column 0 at its right end (at largest x); axis through (-ObjectOffsetX, 0, 0)
//   along (sin ObjectRoll, 0, cos ObjectRoll); in view i the object is turned by theta = 180 degrees - InitialAngle - i
//   AngularStep about it (right-handed).
// Ours (core/base/geometry.h), with the axis as origin and the object at rest:
//   t = -theta, since a stage at +theta is a gantry at -theta;
//   mirrored columns run along x, which is u at t = 0;
//   the axis' top leans towards +u: tilt = ObjectRoll;
//   the source is ObjectOffsetX along x from the axis: cos(tilt) of it across the axis, sin(tilt) along it;
//   the detector's centre is ObjectOffsetX - DetectorOffsetX along u, which Orbit states as axis = minus that in
//   pixels, and DetectorOffsetY along v, which is an image shift of minus that.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/keys/header_keys.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/scanner_file.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/key_value_file.h"
#include "core/io/tiff/scan.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr Bounds positions{-1e6, 1e6};  // [mm]
constexpr Bounds leans{-89, 89};        // [deg]

// Frames of a Nikon scan are called prefix and number; without a prefix, any name is that of a frame.
struct FrameFiles {
  fs::path folder;
  std::vector<fs::path> files;
  bool numbered = false;
};

bool is_number(std::string_view text) {
  constexpr std::size_t max_digits = 18;  // of an int64_t
  return !text.empty() && text.size() <= max_digits &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

FrameFiles frames_in(const fs::path& folder, const std::string& prefix) {
  FrameFiles all{folder, tiff_files(folder)};
  if (prefix.empty()) return all;
  FrameFiles named{folder, {}, true};
  for (const fs::path& file : all.files) {
    const std::string stem = file.stem().string();
    if (stem.starts_with(prefix) && is_number(std::string_view(stem).substr(prefix.size())))
      named.files.push_back(file);
  }
  return named.files.empty() ? all : named;
}

// The frames in the folder that the file names, or, if there are none, next to the file.
Result<FrameFiles> find_frames(const KeyValueFile& file, ScanInfo& info) {
  TL_TRY(const auto name, file.text("Name"));
  TL_TRY(const auto separator, file.text("InputSeparator"));
  TL_TRY(const auto input, file.text("InputFolderName"));
  const std::string prefix = name.value_or("").empty() ? "" : *name + separator.value_or("_");
  const fs::path own_folder = file.file().path.parent_path();
  std::string below = input.value_or("");
  std::replace(below.begin(), below.end(), '\\', '/');
  FrameFiles found = frames_in((own_folder / below).lexically_normal(), prefix);
  if (found.files.empty() && !below.empty()) {
    found = frames_in(own_folder, prefix);
    if (!found.files.empty())
      info.notes.push_back("There are no TIFF frames in the folder " + printable(below) +
                           " (InputFolderName): those next to the file are read.");
  }
  if (found.files.empty())
    return invalid("there are no TIFF frames in the folder " + printable(found.folder.string()), info.path.string(),
                   "Put them next to the file, or correct InputFolderName");
  const std::size_t others = tiff_files(found.folder).size() - found.files.size();
  if (others > 0)
    info.notes.push_back(counted(static_cast<int64_t>(others), "TIFF file") + " next to the frames, not called " +
                         printable(prefix) + "NUMBER, left out.");
  return found;
}

// Angles are counted from the first frame: one that is missing would give all later ones the angle of another.
Result<void> check_frames(const FrameFiles& frames, int64_t projections, const std::string& where) {
  const auto number = [](const fs::path& file) {
    const std::string stem = file.stem().string();
    return std::strtoll(stem.c_str() + stem.find_last_not_of("0123456789") + 1, nullptr, 10);
  };
  for (std::size_t i = 1; frames.numbered && i < frames.files.size(); ++i)
    if (number(frames.files[i]) != number(frames.files[i - 1]) + 1)
      return invalid("frames are missing: after " + printable(frames.files[i - 1].filename().string()) + " comes " +
                         printable(frames.files[i].filename().string()),
                     where, "Copy the missing frames");
  const auto count = static_cast<int64_t>(frames.files.size());
  if (count == projections) return ok();
  return invalid("the file says " + counted(projections, "projection") + ", but there " +
                     (count == 1 ? "is " : "are ") + counted(count, "frame") + " in " +
                     printable(frames.folder.string()),
                 where, "Copy the missing frames, move other TIFF files away, or correct Projections");
}

// A length or angle at a key that may be missing.
Result<double> optional_number(const KeyValueFile& file, const std::string& key, Bounds bounds) {
  TL_TRY(const std::optional<double> value, file.number(key, bounds));
  return value.value_or(0);
}

// How the axis lies in the laboratory, in the words of newer files.
struct Axis {
  Found<double> offset, roll;  // ObjectOffsetX [mm] and ObjectRoll [rad]
};

// Older files state instead where the axis meets the upper and the lower edge of the detector.
Result<Axis> read_axis(const KeyValueFile& file, const ScanInfo& info, double magnification) {
  TL_TRY(const std::optional<double> offset, file.number("ObjectOffsetX", positions));
  TL_TRY(const std::optional<double> roll, file.number("ObjectRoll", leans));
  TL_TRY(const std::optional<double> top, file.number("CentreOfRotationTop", positions));
  TL_TRY(const std::optional<double> bottom, file.number("CentreOfRotationBottom", positions));
  if (!(offset && roll) && top.has_value() != bottom.has_value())
    return invalid("of CentreOfRotationTop and CentreOfRotationBottom the file states only one", info.path.string(),
                   "Add the other one, or state ObjectOffsetX and ObjectRoll");
  Axis axis;
  axis.offset.source = axis.roll.source = "default: 0";
  if (top && bottom) {
    const double height = static_cast<double>(info.rows) * info.pixel_size_v.value;
    axis.offset = {0.5 * (*top + *bottom) / magnification, Origin::file, "CentreOfRotationTop, CentreOfRotationBottom"};
    axis.roll = {-std::atan2(*top - *bottom, height), Origin::file, axis.offset.source};
  }
  if (offset) axis.offset = {*offset, Origin::file, "ObjectOffsetX"};
  if (roll) axis.roll = {to_stored(*roll, Unit::deg), Origin::file, "ObjectRoll"};
  return axis;
}

Result<void> read_distances(const KeyValueFile& file, ScanInfo& info) {
  const auto found = [](double value, const char* key) { return Found<double>{value, Origin::file, key}; };
  TL_TRY(const auto units, file.text("Units"));
  TL_TRY(check_header_key(nikon_keys, "Units", units.value_or(""), info.path.string()));
  TL_TRY(const double pixel_u, file.required("DetectorPixelSizeX", believed_lengths));
  TL_TRY(const double pixel_v, file.required("DetectorPixelSizeY", believed_lengths));
  TL_TRY(const double to_object, file.required("SrcToObject", believed_lengths));
  TL_TRY(const double to_detector, file.required("SrcToDetector", believed_lengths));
  if (to_detector < to_object)
    return invalid("the detector is nearer to the source than the object: SrcToDetector is less than SrcToObject",
                   info.path.string(), "Correct the distances in the file");
  info.beam = Beam::cone;
  info.pixel_size_u = found(pixel_u, "DetectorPixelSizeX");
  info.pixel_size_v = found(pixel_v, "DetectorPixelSizeY");
  info.source_to_axis = found(to_object, "SrcToObject");
  info.axis_to_detector = found(to_detector - to_object, "SrcToDetector - SrcToObject");
  return ok();
}

Result<void> read_offsets(const KeyValueFile& file, ScanInfo& info) {
  const double to_object = info.source_to_axis->value;
  TL_TRY(const Axis axis, read_axis(file, info, (to_object + info.axis_to_detector->value) / to_object));
  TL_TRY(const std::optional<double> detector_x, file.number("DetectorOffsetX", positions));
  TL_TRY(const double detector_y, optional_number(file, "DetectorOffsetY", positions));
  TL_TRY(const double lean, optional_number(file, "ObjectTilt", leans));
  const double offset = axis.offset.value, roll = axis.roll.value;
  StatedOffsets& o = info.offsets;
  o.axis = {(detector_x.value_or(0) - offset) / info.pixel_size_u.value, axis.offset.origin, axis.offset.source};
  if (detector_x && *detector_x != 0) {
    o.axis->origin = Origin::file;
    o.axis->source = "DetectorOffsetX" + (offset != 0 ? ", " + axis.offset.source : "");
  }
  if (roll != 0) o.tilt = axis.roll;
  if (offset != 0) o.source_shift_u = {offset * std::cos(roll), Origin::file, axis.offset.source};
  if (offset != 0 && roll != 0)
    o.source_shift_v = {offset * std::sin(roll), Origin::file, axis.offset.source + ", " + axis.roll.source};
  if (detector_y != 0)
    info.shift_v = {std::vector<double>(static_cast<std::size_t>(info.views), -detector_y / info.pixel_size_v.value),
                    Origin::file, "DetectorOffsetY"};
  if (lean != 0)
    info.notes.push_back("ObjectTilt, " + format_quantity(lean, Unit::deg) +
                         " by which the axis leans along the beam, is not used: the geometry of a cone beam has none. "
                         "Slices away from the middle of the detector will be blurred.");
  return ok();
}

Result<void> read_angles_of(const KeyValueFile& file, const ScanChoices& choices, ScanInfo& info) {
  if (choices.gives_angles()) return ok();
  TL_TRY(const double first, file.required("InitialAngle", believed_angles));
  TL_TRY(const double step, file.required("AngularStep", believed_steps));
  if (step == 0 && info.views > 1)
    return invalid("AngularStep is 0: all views have the same angle", info.path.string(), advice_on_angles());
  info.angles = {{}, Origin::file, "InitialAngle + i AngularStep - 180 deg"};
  for (int64_t i = 0; i < info.views; ++i)
    info.angles.value.push_back(to_stored(first + static_cast<double>(i) * step - 180, Unit::deg));
  info.notes.emplace_back(
      "The stage turns clockwise seen from above as AngularStep says: gantry angles grow with it. Files *.ang and "
      "*_ctdata.txt are not read: their angles are not those of the frames.");
  return ok();
}

// The divisor of the pixels. Counts are returned as stored.
Result<void> read_white_level(const KeyValueFile& file, const ScanChoices& choices, TiffScanParts& parts) {
  if (choices.kind().value_or(PixelKind::counts) != PixelKind::counts) return ok();
  TL_TRY(const double white, file.required("WhiteLevel", {1e-6, 1e9}));
  divide_by_level(white, "WhiteLevel", parts.info, parts.references);
  return ok();
}

// Frames outside the scan's folder need the user's consent, as everywhere.
Result<void> check_folder(const FrameFiles& frames, const ScanAccess& access, ScanInfo& info) {
  const fs::path& first = frames.files.front();
  if (!access.sources->admits(first))
    return io_error("the frames cannot be read", first.string(), "Correct InputFolderName");
  if (const auto stamp = stamp_of(first)) access.sources->add(first, *stamp);
  if (access.sources->outside().empty()) return ok();
  info.outside.push_back(
      "The frames are read from outside the scan's folder, as asked for: " + printable(frames.folder.string()) + ".");
  info.notes.push_back(info.outside.back());
  return ok();
}

bool has_xtekct_name(const fs::path& path) { return lower_case(path.extension().string()) == ".xtekct"; }

// A folder with such a file is not a mere stack of frames: opened as one, it would have guessed angles and distances.
int sniff_nikon_xtekct(const fs::path& path, const ScanAccess& /*access*/) {
  return has_xtekct_name(path) ? 90 : scanner_files(path, has_xtekct_name).empty() ? 0 : 80;
}

Result<std::unique_ptr<ScanReader>> open_nikon_xtekct(const fs::path& path, const ScanAccess& access) {
  TL_TRY(check_frames_are_views(access.choices, path, "Nikon"));
  std::error_code failed;
  TL_TRY(const fs::path text, only_scanner_file(path, scanner_files(path, has_xtekct_name), ".xtekct file"));
  TL_TRY(const KeyValueFile file, KeyValueFile::open(fs::absolute(text, failed).lexically_normal(), KeyCase::matters));
  TL_TRY(const int64_t projections, file.required_integer("Projections", 1, int64_t{1} << 24));
  TL_TRY(const int64_t rows, file.required_integer("DetectorPixelsY", 1, int64_t{1} << 31));
  TL_TRY(const int64_t cols, file.required_integer("DetectorPixelsX", 1, int64_t{1} << 31));
  TL_TRY(check_sizes(projections, rows, cols, path.string()));
  TiffScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "nikon_xtekct";
  TL_TRY(read_distances(file, info));
  TL_TRY(read_white_level(file, access.choices, parts));
  TL_TRY(const FrameFiles frames, find_frames(file, info));
  TL_TRY(check_folder(frames, access, info));
  TL_TRY(check_frames(frames, projections, path.string()));
  parts.text_files = {file.file()};
  parts.layout = FrameLayout::mirrored_columns;
  for (const fs::path& frame : frames.files) parts.views.push_back({frame, 0});
  TL_TRY(measure_frames(parts, access));
  TL_TRY(check_frame_size(info, rows, cols, "DetectorPixelsX and Y"));
  info.notes.emplace_back("Frames are mirrored left to right: their first column is the right end of the detector.");
  TL_TRY(read_offsets(file, info));
  TL_TRY(read_angles_of(file, access.choices, info));
  TL_TRY(apply(access.choices, info));
  return make_tiff_scan(std::move(parts), access.choices.order);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(nikon_xtekct) {
  return {"nikon_xtekct",
          "Nikon X-Tek",
          ".xtekct",
          "An .xtekct file of a laboratory scanner, with its TIFF frames in a folder or next to it.",
          tl::io::sniff_nikon_xtekct,
          tl::io::open_nikon_xtekct};
}
