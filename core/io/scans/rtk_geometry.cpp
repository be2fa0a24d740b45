// Reads scans of RTK, the Reconstruction Toolkit: a geometry file RTKThreeDCircularGeometry, and the projections as one
// MetaImage (.mha, .mhd) next to it.
//
// Conventions of RTK's documentation, "3D circular projection geometry" (after IEC 61217): the rotation axis is its y,
// angles are in degrees, lengths in mm. With the rotation R = Rz(-InPlane) Rx(-OutOfPlane) Ry(-Gantry), whose transpose
// leads from the detector's axes to the fixed ones, the source is R' (SourceOffsetX, SourceOffsetY,
// SourceToIsocenterDistance), and the point (u, v) of a projection, in the coordinates of its MetaImage, is R'
// (ProjectionOffsetX + u, ProjectionOffsetY + v, SourceToIsocenterDistance - SourceToDetectorDistance). A distance to
// the detector of 0 is a parallel beam. Its point (X, Y, Z) is our (X, -Z, Y), so that GantryAngle is our gantry angle.
// Rows of a MetaImage begin at the smallest v, which is the bottom.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/raw_scan.h"
#include "core/io/scans/scanner_file.h"
#include "core/io/scans/stated_views.h"
#include "core/io/text/xml_file.h"
#include "core/io/voxels/meta_header.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr Bounds rtk_lengths{-1e9, 1e9}, rtk_angles{-1e6, 1e6};  // [mm], [deg]

bool is_rtk_geometry(const fs::path& path) {
  if (lower_case(path.extension().string()) != ".xml") return false;
  const auto start = first_bytes(path, 4096, Packing::none);
  return start.ok() && start.value().find("RTKThreeDCircularGeometry") != std::string::npos;
}

bool is_meta_image(const fs::path& path) {
  const std::string ending = lower_case(path.extension().string());
  return (ending == ".mha" || ending == ".mhd") && is_meta_header(path);
}

int sniff_rtk_geometry(const fs::path& path, const ScanAccess& /*access*/) {
  std::error_code failed;
  return scanner_files(path, is_rtk_geometry).empty() ? 0 : fs::is_directory(path, failed) ? 80 : 90;
}

// The parameters of a projection, lengths in mm and angles in rad.
struct RtkView {
  double gantry = 0, out_of_plane = 0, in_plane = 0;
  double to_isocentre = 0, to_detector = 0;
  double source_x = 0, source_y = 0, projection_x = 0, projection_y = 0;
};
struct RtkParameter {
  const char* name;
  double RtkView::*member;
  bool is_angle;
};
constexpr std::array<RtkParameter, 9> rtk_parameters = {{{"GantryAngle", &RtkView::gantry, true},
                                                         {"OutOfPlaneAngle", &RtkView::out_of_plane, true},
                                                         {"InPlaneAngle", &RtkView::in_plane, true},
                                                         {"SourceToIsocenterDistance", &RtkView::to_isocentre, false},
                                                         {"SourceToDetectorDistance", &RtkView::to_detector, false},
                                                         {"SourceOffsetX", &RtkView::source_x, false},
                                                         {"SourceOffsetY", &RtkView::source_y, false},
                                                         {"ProjectionOffsetX", &RtkView::projection_x, false},
                                                         {"ProjectionOffsetY", &RtkView::projection_y, false}}};

// Parameters of an element that states some; the others stay.
Result<void> read_rtk_parameters(const XmlFile& file, const XmlElement& from, RtkView& view) {
  for (const RtkParameter& p : rtk_parameters) {
    TL_TRY(const auto value, file.number(from, p.name, p.is_angle ? rtk_angles : rtk_lengths));
    if (value) view.*p.member = p.is_angle ? to_stored(*value, Unit::deg) : *value;
  }
  return ok();
}

using Mat3 = std::array<Vec3, 3>;  // rows
Mat3 times(const Mat3& a, const Mat3& b) {
  Mat3 product;
  for (std::size_t i = 0; i < 3; ++i) product[i] = a[i].x * b[0] + a[i].y * b[1] + a[i].z * b[2];
  return product;
}
// From the fixed axes of RTK to those of the detector.
Mat3 rotation_of(const RtkView& p) {
  const auto c = [](double a) { return std::cos(-a); };
  const auto s = [](double a) { return std::sin(-a); };
  const Mat3 z{{{c(p.in_plane), -s(p.in_plane), 0}, {s(p.in_plane), c(p.in_plane), 0}, {0, 0, 1}}};
  const Mat3 x{{{1, 0, 0}, {0, c(p.out_of_plane), -s(p.out_of_plane)}, {0, s(p.out_of_plane), c(p.out_of_plane)}}};
  const Mat3 y{{{c(p.gantry), 0, s(p.gantry)}, {0, 1, 0}, {-s(p.gantry), 0, c(p.gantry)}}};
  return times(z, times(x, y));
}

// The matrix that the file may state as well, rows [X, Y, Z, 1].
std::array<double, 12> matrix_of(const RtkView& p) {
  const Mat3 r = rotation_of(p);
  const bool parallel = p.to_detector == 0;
  const Vec3 shift = parallel ? Vec3{-p.projection_x, -p.projection_y, 0} : Vec3{-p.source_x, -p.source_y, 0};
  const Vec3 depth = parallel ? Vec3{} : r[2];
  const double at_depth = parallel ? 1 : -p.to_isocentre, scale = parallel ? 1 : -p.to_detector;
  const double x = parallel ? 0 : p.source_x - p.projection_x, y = parallel ? 0 : p.source_y - p.projection_y;
  const Vec3 first = scale * r[0] + x * depth, second = scale * r[1] + y * depth;
  return {first.x,  first.y,  first.z,  scale * shift.x + x * at_depth,
          second.x, second.y, second.z, scale * shift.y + y * at_depth,
          depth.x,  depth.y,  depth.z,  at_depth};
}

// Whoever edits one of the two changes the scan for readers of the other.
Result<void> check_rtk_matrix(const XmlFile& file, const XmlElement& projection, const RtkView& view) {
  const auto text = XmlFile::text(projection, "Matrix");
  if (!text) return ok();
  constexpr std::size_t numbers = 12;
  constexpr double rounding = 1e-6;  // relative to the largest number; 15 digits are written, and others write fewer
  const auto stated = numbers_of(*text, numbers);
  const std::array<double, numbers> own = matrix_of(view);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; stated && i < numbers; ++i) {
    largest = std::max(largest, std::abs(own[i]));
    difference = std::max(difference, std::abs((*stated)[i] - own[i]));
  }
  if (stated && difference <= rounding * largest) return ok();
  return invalid(stated ? "the matrix of the projection is not that of its parameters"
                        : "the matrix of the projection is not 12 numbers",
                 file.location(projection), "Write the geometry again, or remove the matrix");
}

// All projections. Invalid: a cylindrical detector, none, both beams.
Result<std::vector<RtkView>> read_rtk_views(const XmlFile& file, ScanInfo& info) {
  constexpr std::size_t most_views = std::size_t{1} << 20;
  const XmlElement& root = file.root();
  TL_TRY(const auto radius, file.number(root, "RadiusCylindricalDetector", rtk_lengths));
  if (radius && *radius != 0)
    return unavailable("the detector is a cylinder (RadiusCylindricalDetector)", file.location(root),
                       "Resample the projections to a flat detector");
  RtkView common;
  TL_TRY(read_rtk_parameters(file, root, common));
  std::vector<RtkView> views;
  bool collimated = false;
  for (const XmlElement& one : root.children) {
    collimated = collimated || lower_case(one.name).starts_with("collimation");
    if (lower_case(one.name) != "projection") continue;
    if (views.size() == most_views) return invalid("there are more views than in any scan", file.location(one));
    RtkView view = common;
    TL_TRY(read_rtk_parameters(file, one, view));
    TL_TRY(check_rtk_matrix(file, one, view));
    if (!views.empty() && (view.to_detector == 0) != (views.front().to_detector == 0))
      return invalid("some projections are of a parallel beam, others of a cone", file.location(one),
                     "Correct SourceToDetectorDistance");
    for (const XmlElement& value : one.children)
      collimated = collimated || lower_case(value.name).starts_with("collimation");
    views.push_back(view);
  }
  if (views.empty()) return invalid("the geometry holds no projection", file.location(root), "Write it again");
  if (collimated) info.notes.emplace_back("The collimation that the geometry states is not used.");
  return views;
}

// Where the projections of a MetaImage lie on the detector [mm].
struct RtkImage {
  double centre_u = 0, centre_v = 0, step_u = 1, step_v = 1;
};

Result<RtkImage> read_rtk_image(const fs::path& path, const MetaHeader& header, const RawBlock& block, ScanInfo& info) {
  const std::string matrix = header.get({"TransformMatrix", "Rotation", "Orientation"});
  if (const auto m = numbers_of(matrix, 9);
      !matrix.empty() && (!m || *m != std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}))
    return invalid("the projections are turned or mirrored (TransformMatrix)", path.string(),
                   "Save them with the identity as direction");
  const auto spacing = numbers_of(header.get({"ElementSpacing", "ElementSize"}), 3);
  if (!spacing || !((*spacing)[0] > 0) || !((*spacing)[1] > 0))
    return invalid("the projections have no size of pixels (ElementSpacing)", path.string(), "Save them with RTK");
  const auto origin = numbers_of(header.get({"Offset", "Origin", "Position"}), 3);
  if (!origin)
    info.notes.emplace_back("The projections state no origin (Offset): their first pixel is taken as (0, 0).");
  const std::vector<double> first = origin.value_or(std::vector<double>(3, 0));
  RtkImage image{0, 0, (*spacing)[0], (*spacing)[1]};
  image.centre_u = first[0] + 0.5 * static_cast<double>(block.cols - 1) * image.step_u;
  image.centre_v = first[1] + 0.5 * static_cast<double>(block.rows - 1) * image.step_v;
  return image;
}

// In our axes.
View view_of(const RtkView& p, const RtkImage& image) {
  const Mat3 r = rotation_of(p);
  const auto fixed = [&](double x, double y, double z) {
    const Vec3 v = x * r[0] + y * r[1] + z * r[2];
    return Vec3{v.x, -v.z, v.y};
  };
  const double depth = p.to_detector == 0 ? -p.to_isocentre : p.to_isocentre - p.to_detector;
  const Vec3 beam = p.to_detector == 0 ? fixed(0, 0, -1) : fixed(p.source_x, p.source_y, p.to_isocentre);
  return {beam, fixed(p.projection_x + image.centre_u, p.projection_y + image.centre_v, depth),
          fixed(image.step_u, 0, 0), fixed(0, image.step_v, 0)};
}

Result<std::unique_ptr<ScanReader>> open_rtk_geometry(const fs::path& path, const ScanAccess& access) {
  std::error_code failed;
  TL_TRY(const fs::path found, only_scanner_file(path, scanner_files(path, is_rtk_geometry), "RTK geometry file"));
  const fs::path geometry = fs::absolute(found, failed).lexically_normal();
  TL_TRY(const fs::path frames,
         only_scanner_file(path, files_in(geometry.parent_path(), is_meta_image), "MetaImage (.mha, .mhd) file"));
  RawScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "rtk_geometry";
  TL_TRY(const XmlFile file, XmlFile::open(geometry));
  TL_TRY(const std::vector<RtkView> stated, read_rtk_views(file, info));
  const Beam beam = stated.front().to_detector == 0 ? Beam::parallel : Beam::cone;
  TL_TRY(check_views_stay_as_stated(access.choices, beam, path));
  parts.headers = {file.file(), {frames, stamp_of(frames)}};
  TL_TRY(const MetaHeader header, read_meta_header(frames));
  TL_TRY(parts.views, blocks_of_meta(frames, header));
  TL_TRY(const RtkImage image, read_rtk_image(frames, header, parts.views.front(), info));
  TL_TRY(measure_blocks(parts));
  if (static_cast<int64_t>(stated.size()) != info.views)
    return invalid("the geometry has " + counted(static_cast<int64_t>(stated.size()), "projection") + ", but " +
                       printable(frames.filename().string()) + " has " + std::to_string(info.views),
                   path.string(), "Give the geometry of these projections");
  parts.first_row = FirstRowOfFrame::bottom;
  std::vector<View> views;
  for (const RtkView& view : stated) views.push_back(view_of(view, image));
  TL_TRY(state_views(beam, views, Origin::file, geometry.filename().string(), info));
  info.notes.push_back("The projections are those of " + printable(frames.filename().string()) +
                       ". Their rows are read from the last one: RTK's begin at the bottom.");
  if (!access.choices.kind() && !holds_counts(info.pixel_type)) {
    info.kind = PixelKind::absorption;
    info.notes.emplace_back(
        "Pixels that are not counts are taken as absorption, which RTK reconstructs from: a guess.");
  }
  apply_beam(access.choices, info);
  note_missing_references(access.choices, info);
  return make_raw_scan(std::move(parts));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(rtk_geometry) {
  return {"rtk_geometry",
          "RTK",
          ".xml",
          "A geometry of the Reconstruction Toolkit, with the projections as a MetaImage next to it.",
          tl::io::sniff_rtk_geometry,
          tl::io::open_rtk_geometry};
}
