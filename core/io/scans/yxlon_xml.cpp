// Reads scans of YXLON scanners: ScanParameter.xml with the acquisition, and the frames in a folder Projections or
// Projektionen next to it, as TIFF or as plain uint16 (.raw) whose rows begin at the bottom.
//
// Elements of ConeBeamScanParameter as in TIGRE's loader of these scans: Fdd and Fod, the distances of the focus to the
// detector and to the object, and the detector's offsets are in units of PixelPitch [mm]; angles are in degrees, and
// the angles of TIGRE are minus our gantry angles. What no public source defines is taken with a guess, and said: the
// signs of the offsets, and that DetectorTiltA, B and C turn the detector about its rows, its columns and its normal.
#include <cmath>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/raw_scan.h"
#include "core/io/scans/scanner_file.h"
#include "core/io/scans/stated_views.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/xml_file.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr Bounds yxlon_tilts{-45, 45}, yxlon_offsets{-1e6, 1e6};  // [deg], [pitch]
constexpr int64_t yxlon_max_size = int64_t{1} << 31;

bool is_yxlon_xml(const fs::path& path) { return lower_case(path.filename().string()).ends_with("scanparameter.xml"); }

int sniff_yxlon_xml(const fs::path& path, const ScanAccess& /*access*/) {
  std::error_code failed;
  return scanner_files(path, is_yxlon_xml).empty() ? 0 : fs::is_directory(path, failed) ? 80 : 90;
}

struct YxlonFrames {
  std::vector<fs::path> files;
  bool raw = false;
};

bool is_raw_file(const fs::path& path) { return lower_case(path.extension().string()) == ".raw"; }

Result<YxlonFrames> find_yxlon_frames(const fs::path& file, const fs::path& scan) {
  for (const fs::path& sub : subfolders(file.parent_path())) {
    const std::string name = lower_case(sub.filename().string());
    if (name != "projections" && name != "projektionen") continue;
    if (auto raw = files_in(sub, is_raw_file); !raw.empty()) return YxlonFrames{std::move(raw), true};
    if (auto tiffs = tiff_files(sub); !tiffs.empty()) return YxlonFrames{std::move(tiffs), false};
  }
  return invalid("there are no frames in a folder Projections or Projektionen next to the file", scan.string(),
                 "Copy the frames of the scan, .raw or .tif, into it");
}

// A scan on a circle as the file states it, with a detector that may lean. Lists per view are still empty.
Result<Orbit> read_yxlon_orbit(const XmlFile& file, const XmlElement& from, ScanInfo& info) {
  TL_TRY(const double scale, file.required(from, "ScanTrajectory/PixelPitch", believed_lengths));
  TL_TRY(const double to_detector, file.required(from, "ScanTrajectory/Fdd", believed_lengths));
  TL_TRY(const double to_axis, file.required(from, "ScanTrajectory/Fod", believed_lengths));
  TL_TRY(const double pixel_u, file.required(from, "PixelSize/Width", believed_lengths));
  TL_TRY(const double pixel_v, file.required(from, "PixelSize/Height", believed_lengths));
  if (to_detector < to_axis)
    return invalid("the detector is nearer to the source than the object: Fdd is less than Fod", info.path.string(),
                   "Correct the distances in the file");
  info.beam = Beam::cone;
  info.pixel_size_u = {pixel_u, Origin::file, "PixelSize/Width"};
  info.pixel_size_v = {pixel_v, Origin::file, "PixelSize/Height"};
  info.source_to_axis = {scale * to_axis, Origin::file, "PixelPitch Fod"};
  info.axis_to_detector = {scale * (to_detector - to_axis), Origin::file, "PixelPitch (Fdd - Fod)"};
  Orbit o;
  o.beam = Beam::cone;
  o.source_to_axis = scale * to_axis;
  o.axis_to_detector = scale * (to_detector - to_axis);
  const std::string at = "DejustmentParameter/";
  TL_TRY(const auto across, file.number(from, at + "HorizontalDetectorOffset", yxlon_offsets));
  TL_TRY(const auto along, file.number(from, at + "VerticalDetectorOffset", yxlon_offsets));
  TL_TRY(const auto centre, file.number(from, "ScanTrajectory/YoCenter", yxlon_offsets));
  if (centre.value_or(0) != 0)
    info.notes.push_back("The position of the axis that the file states, YoCenter = " + formatted("%g", *centre) +
                         ", is not applied, since it has no public definition: the axis is measured.");
  TL_TRY(const auto a, file.number(from, at + "DetectorTiltA", yxlon_tilts));
  TL_TRY(const auto b, file.number(from, at + "DetectorTiltB", yxlon_tilts));
  TL_TRY(const auto c, file.number(from, at + "DetectorTiltC", yxlon_tilts));
  o.axis = across.value_or(0) * scale / pixel_u;
  if (along.value_or(0) != 0) o.shift_v = {*along * scale / pixel_v};  // of all views
  o.pitch = to_stored(a.value_or(0), Unit::deg);
  o.yaw = to_stored(b.value_or(0), Unit::deg);
  o.tilt = to_stored(c.value_or(0), Unit::deg);
  if (o.axis != 0 || !o.shift_v.empty())
    info.notes.push_back("The offsets of the detector, " +
                         formatted("%g and %g", across.value_or(0), along.value_or(0)) +
                         " pitches, are taken to be to the left and down: their signs are a guess.");
  if (o.pitch != 0 || o.yaw != 0 || o.tilt != 0)
    info.notes.push_back("The tilts of the detector, " +
                         formatted("%g, %g and %g", a.value_or(0), b.value_or(0), c.value_or(0)) +
                         " degrees, are taken as turns about its rows, its columns and its normal (DetectorTiltA, B, "
                         "C): axes and signs are a guess.");
  return o;
}

// Equal steps by the numbers of the frames.
Result<void> read_yxlon_angles(const XmlFile& file, const XmlElement& from, const std::vector<fs::path>& frames,
                               int64_t stated, ScanInfo& info) {
  TL_TRY(const std::vector<int64_t> indices, indices_of_frames(frames, stated, info));
  TL_TRY(const auto start, file.number(from, "ScanTrajectory/StartAngle", believed_angles));
  TL_TRY(const double range, file.required(from, "ScanTrajectory/Rotation", believed_angles));
  if (range == 0 && info.views > 1)
    return invalid("Rotation is 0: all views have the same angle", info.path.string(), advice_on_angles());
  info.angles = {{}, Origin::file, "i Rotation / NumberOfProjections - StartAngle"};
  for (const int64_t i : indices)
    info.angles.value.push_back(
        to_stored(static_cast<double>(i) * range / static_cast<double>(stated) - start.value_or(0), Unit::deg));
  info.notes.push_back(rotation_note("Rotation"));
  return ok();
}

// A leaning detector has positions of its own, which nothing of the user's may contradict; others are a circle.
Result<void> use_yxlon_orbit(Orbit o, const ScanChoices& choices, ScanInfo& info) {
  const auto count = static_cast<std::size_t>(info.views);
  if (!o.shift_v.empty()) o.shift_v.assign(count, o.shift_v.front());
  const auto guessed = [](double value, const char* source) { return Found<double>{value, Origin::guessed, source}; };
  if (o.yaw == 0 && o.pitch == 0) {
    if (o.axis != 0) info.offsets.axis = guessed(o.axis, "HorizontalDetectorOffset");
    if (o.tilt != 0) info.offsets.tilt = guessed(o.tilt, "DetectorTiltC");
    if (!o.shift_v.empty()) info.shift_v = {o.shift_v, Origin::guessed, "VerticalDetectorOffset"};
    return apply(choices, info);
  }
  TL_TRY(check_views_stay_as_stated(choices, Beam::cone, info.path));
  o.angles = info.angles.value;
  TL_TRY(const ScanGeometry geometry,
         ScanGeometry::from_orbit(o, {info.rows, info.cols, info.pixel_size_u.value, info.pixel_size_v.value}));
  std::vector<View> views;
  for (int64_t i = 0; i < geometry.views(); ++i) views.push_back(geometry.view(i));
  TL_TRY(state_views(Beam::cone, views, Origin::guessed, "DetectorTiltA, B, C", info));
  apply_beam(choices, info);
  return ok();
}

// What the file says about turned or mirrored frames, in words that have no public list.
void note_yxlon_orientation(const XmlElement& from, ScanInfo& info) {
  const std::pair<const char*, const char*> usual[] = {{"DetectorOrientation", "original"},
                                                       {"DetectorFlipDirections", "none"}};
  for (const auto& [name, value] : usual) {
    const auto text = XmlFile::text(from, name);
    if (!text || lower_case(*text) == value) continue;
    info.outside.push_back(std::string(name) + " is " + printable(*text) +
                           ", which has no public definition: frames are taken as they are stored. Mirror or "
                           "transpose them in the load node where the volume is wrong.");
    info.notes.push_back(info.outside.back());
  }
}

Result<std::unique_ptr<ScanReader>> open_yxlon_xml(const fs::path& path, const ScanAccess& access) {
  TL_TRY(check_frames_are_views(access.choices, path, "YXLON"));
  std::error_code failed;
  TL_TRY(const fs::path text, only_scanner_file(path, scanner_files(path, is_yxlon_xml), "ScanParameter.xml file"));
  TL_TRY(const XmlFile file, XmlFile::open(fs::absolute(text, failed).lexically_normal()));
  const XmlElement* from = file.root().child("ConeBeamScanParameter");
  if (from == nullptr)
    return invalid("the file does not state ConeBeamScanParameter", path.string(),
                   "Scans of a cone beam on a circle are read");
  if (const auto kind = XmlFile::text(*from, "ScanTrajectory@type"); kind && lower_case(*kind) != "circletrajectory")
    return unavailable("the source moves along a path that is not a circle: " + printable(*kind), path.string(),
                       "Scans of the type CircleTrajectory are read");
  TiffScanParts tiff;
  RawScanParts raw;
  TL_TRY(const YxlonFrames frames, find_yxlon_frames(file.file().path, path));
  ScanInfo& info = frames.raw ? raw.info : tiff.info;
  info.path = path;
  info.format = "yxlon_xml";
  TL_TRY(const Orbit orbit, read_yxlon_orbit(file, *from, info));
  TL_TRY(const int64_t rows, file.required_integer(*from, "ProjectionSize/Height", 1, yxlon_max_size));
  TL_TRY(const int64_t cols, file.required_integer(*from, "ProjectionSize/Width", 1, yxlon_max_size));
  TL_TRY(const int64_t stated, file.required_integer(*from, "ScanTrajectory/NumberOfProjections", 1, int64_t{1} << 24));
  note_yxlon_orientation(*from, info);
  guess_level(access.choices, info, frames.raw ? raw.references : tiff.references);
  raw.headers = tiff.text_files = {file.file()};
  raw.first_row = FirstRowOfFrame::bottom;
  for (const fs::path& frame : frames.files) {
    if (frames.raw)
      raw.views.push_back({frame, "uint16", ByteOrder::little, 1, rows, cols});
    else
      tiff.views.push_back({frame, 0});
  }
  TL_TRY(frames.raw ? measure_blocks(raw) : measure_frames(tiff, access));
  TL_TRY(check_frame_size(info, rows, cols, "ProjectionSize"));
  TL_TRY(read_yxlon_angles(file, *from, frames.files, stated, info));
  TL_TRY(use_yxlon_orbit(orbit, access.choices, info));
  return frames.raw ? make_raw_scan(std::move(raw)) : make_tiff_scan(std::move(tiff), access.choices.order);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(yxlon_xml) {
  return {"yxlon_xml",
          "YXLON",
          ".xml",
          "ScanParameter.xml of a laboratory scanner, with its frames in a folder Projections or Projektionen.",
          tl::io::sniff_yxlon_xml,
          tl::io::open_yxlon_xml};
}
