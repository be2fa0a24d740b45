// Reads scans of RX Solutions scanners: TIFF frames in the folder Proj, and next to it geom.csv with the positions of
// source and detector in every view, or unireconstruction.xml alone with the distances of a circle.
//
// Conventions as in the public readers that CIL's users wrote for these files. A line of geom.csv, after two of
// headings, is a label and twelve numbers in mm, separated by semicolons: source, centre of the detector, middle of its
// upper edge, middle of its right edge (x y z each), with y upwards along the axis. Our (x, y, z) is its (z, x, y), and
// height 0 is the mean height of the detector. The XML states sod and sdd [mm] and the number of views; neither the
// size of a pixel nor the sense of rotation.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/wording.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/scanner_file.h"
#include "core/io/scans/stated_views.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/text_file.h"
#include "core/io/text/xml_file.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

bool is_rx_views(const fs::path& path) { return lower_case(path.filename().string()).ends_with("geom.csv"); }
bool is_rx_circle(const fs::path& path) {
  return lower_case(path.filename().string()).ends_with("unireconstruction.xml");
}

// The folder Proj next to the file, in letters of either case.
fs::path rx_frames_folder(const fs::path& file) {
  for (const fs::path& sub : subfolders(file.parent_path()))
    if (lower_case(sub.filename().string()) == "proj") return sub;
  return file.parent_path() / "Proj";
}

// The file itself; of a folder those called geom.csv, which say more, before the XML.
std::vector<fs::path> rx_geometries(const fs::path& path) {
  std::vector<fs::path> files = scanner_files(path, is_rx_views);
  return files.empty() ? scanner_files(path, is_rx_circle) : files;
}

int sniff_rx_solutions(const fs::path& path, const ScanAccess& /*access*/) {
  const std::vector<fs::path> files = rx_geometries(path);
  return !files.empty() && has_tiff_files(rx_frames_folder(files.front())) ? 85 : 0;
}

// The points of a line, in our axes.
struct RxPoints {
  Vec3 source, detector, top, right;
};

// The fields of a line, which a semicolon may end.
std::vector<std::string_view> fields_between_semicolons(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = std::min(line.find(';'), line.size());
    fields.push_back(trimmed(line.substr(0, end)));
    if (end == line.size()) break;
    line.remove_prefix(end + 1);
  }
  if (fields.size() > 1 && fields.back().empty()) fields.pop_back();
  return fields;
}

Result<RxPoints> rx_points(std::string_view line, const std::string& where) {
  constexpr std::size_t numbers = 12;
  constexpr Bounds coordinates{-1e9, 1e9};  // [mm]
  const std::vector<std::string_view> fields = fields_between_semicolons(line);
  if (fields.size() != numbers + 1)
    return invalid("the line has " + std::to_string(fields.size()) + " fields instead of 13", where,
                   "A line is a label and the source, the centre of the detector, the middles of its upper and right "
                   "edge, x y z each");
  std::array<double, numbers> n{};
  for (std::size_t i = 0; i < numbers; ++i) {
    TL_TRY(n[i], stated_number(fields[i + 1], "field " + std::to_string(i + 2), where, coordinates,
                               DecimalSign::point_or_comma));
  }
  const auto point = [&](std::size_t i) { return Vec3{n[i + 2], n[i], n[i + 1]}; };
  return RxPoints{point(0), point(3), point(6), point(9)};
}

Result<std::vector<RxPoints>> read_rx_views(const fs::path& file) {
  constexpr std::size_t headings = 2, most_views = std::size_t{1} << 20;
  constexpr int64_t max_bytes = int64_t{1} << 28;
  TL_TRY(const std::string text, read_text(file, "the geometry file", max_bytes));
  std::vector<RxPoints> views;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    if (++number <= headings || trimmed(line).empty()) continue;
    if (views.size() == most_views) return invalid("there are more views than in any scan", file.string());
    TL_TRY(const RxPoints points, rx_points(line, file.string() + ":" + std::to_string(number)));
    views.push_back(points);
  }
  if (views.empty()) return invalid("the geometry file holds no view", file.string(), "Copy it again from the scanner");
  return views;
}

// The edges are half the frame's rows and columns away from the centre.
Result<void> use_rx_views(const fs::path& file, const std::vector<RxPoints>& points, ScanInfo& info) {
  if (static_cast<int64_t>(points.size()) != info.views)
    return invalid("the geometry has " + counted(static_cast<int64_t>(points.size()), "view") + ", but there " +
                       (info.views == 1 ? "is " : "are ") + counted(info.views, "frame"),
                   info.path.string(), "Copy the missing frames, or the geometry of this scan");
  double height = 0;
  for (const RxPoints& p : points) height += p.detector.z / static_cast<double>(points.size());
  const Vec3 down{0, 0, -height};
  std::vector<View> views;
  for (const RxPoints& p : points)
    views.push_back({p.source + down, p.detector + down,
                     (2.0 / static_cast<double>(info.cols)) * (p.right - p.detector),
                     (2.0 / static_cast<double>(info.rows)) * (p.top - p.detector)});
  TL_TRY(state_views(Beam::cone, views, Origin::file, file.filename().string(), info));
  if (height != 0)
    info.notes.push_back("Height 0 is the mean height of the detector, " + format_quantity(height, Unit::mm) +
                         " in the file.");
  constexpr double square = 0.01;  // detectors of these scanners have square pixels
  if (std::abs(info.pixel_size_u.value / info.pixel_size_v.value - 1) > square)
    info.notes.emplace_back(
        "Pixels are not square by the edges in the file and the size of the frames: are these the frames as the "
        "scanner wrote them?");
  return ok();
}

Result<void> use_rx_circle(const XmlFile& file, const ScanChoices& choices, ScanInfo& info) {
  const std::string distances = "conebeam/acquisitioninfo/geometry";
  TL_TRY(const double to_axis, file.required(file.root(), distances + "@sod", believed_lengths));
  TL_TRY(const double to_detector, file.required(file.root(), distances + "@sdd", believed_lengths));
  if (to_detector < to_axis)
    return invalid("the detector is nearer to the source than the object: sdd is less than sod", info.path.string(),
                   "Correct the distances in the file");
  TL_TRY(const int64_t stated, file.required_integer(file.root(), "conebeam/profile@images", 1, int64_t{1} << 24));
  if (stated != info.views)
    return invalid("the file says " + counted(stated, "view") + ", but there " + (info.views == 1 ? "is " : "are ") +
                       counted(info.views, "frame"),
                   info.path.string(), "Copy the missing frames, or correct the images of the profile");
  info.beam = Beam::cone;
  info.source_to_axis = {to_axis, Origin::file, "sod"};
  info.axis_to_detector = {to_detector - to_axis, Origin::file, "sdd - sod"};
  info.outside.push_back(
      "The file does not state the size of the detector's pixels: lengths are wrong until it is given (" +
      two_wordings("--pixel-size 150", "Pixel size in the form of the load node") + ").");
  info.notes.push_back(info.outside.back());
  info.pixel_size_u = info.pixel_size_v = {1, Origin::guessed, "default: 1 mm"};
  TL_TRY(const auto offset, file.number(file.root(), "conebeam/correction@offsetX", {-1e6, 1e6}));
  if (offset && *offset != 0)
    info.notes.push_back("The offset of the axis that the file states, offsetX = " + formatted("%g", *offset) +
                         ", is not applied, since its sign is not public: the axis is measured.");
  if (!choices.gives_angles()) {
    info.angles = {equidistant_angles(info.views, 2 * pi), Origin::guessed, "a full turn in equal steps"};
    info.notes.emplace_back(
        "The file states no angles: a full turn in equal steps is guessed, in the sense of some of these scanners. If "
        "the volume is mirrored, reverse the rotation.");
  }
  return apply(choices, info);
}

Result<std::unique_ptr<ScanReader>> open_rx_solutions(const fs::path& path, const ScanAccess& access) {
  std::error_code failed;
  TL_TRY(const fs::path found, only_scanner_file(path, rx_geometries(path), "geom.csv or unireconstruction.xml file"));
  const fs::path file = fs::absolute(found, failed).lexically_normal();
  const bool states_views = is_rx_views(file);
  TL_TRY(states_views ? check_views_stay_as_stated(access.choices, Beam::cone, path)
                      : check_frames_are_views(access.choices, path, "RX Solutions"));
  TiffScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "rx_solutions";
  parts.text_files = {{file, stamp_of(file)}};
  const std::vector<fs::path> frames = tiff_files(rx_frames_folder(file));
  if (frames.empty())
    return invalid("there are no TIFF frames in the folder Proj next to the file", path.string(),
                   "Copy the frames of the scan into it");
  for (const fs::path& frame : frames) parts.views.push_back({frame, 0});
  guess_level(access.choices, info, parts.references);
  TL_TRY(measure_frames(parts, access));
  if (states_views) {
    TL_TRY(const std::vector<RxPoints> points, read_rx_views(file));
    TL_TRY(use_rx_views(file, points, info));
    apply_beam(access.choices, info);
  } else {
    TL_TRY(const XmlFile xml, XmlFile::open(file));
    TL_TRY(use_rx_circle(xml, access.choices, info));
  }
  return make_tiff_scan(std::move(parts), access.choices.order);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(rx_solutions) {
  return {"rx_solutions",
          "RX Solutions",
          ".csv .xml",
          "geom.csv or unireconstruction.xml of a laboratory scanner, with TIFF frames in the folder Proj next to it.",
          tl::io::sniff_rx_solutions,
          tl::io::open_rx_solutions};
}
