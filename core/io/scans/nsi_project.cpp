// Reads scans of North Star Imaging scanners: an .nsipro project, a geometry report (Geometry*.rtf) and TIFF frames in
// a folder Radiographs* next to it, with gain0.tif (flat) and offset.tif (dark) there or in another folder.
//
// Keys as in the reader of mbirjax. A project is lines <key>VALUE between the lines <Section> and </Section>. In mm
// from a point of the axis: Result/source is the source, Result/reference the centre of the first pixel, whose x and y
// the report states more exactly (Image center). Unit vectors are Result/axis, Result/normal, from the source to the
// detector, and Result/horizontal, along a row from left to right; normal x horizontal points down a column. flipV,
// flipH and rotate (clockwise) of Correction turn a frame upright. View i is at i angleStep, and clockwise is taken as
// that of the object seen from above.
#include <algorithm>
#include <cmath>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/scanner_file.h"
#include "core/io/scans/stated_views.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/text_file.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

bool is_nsi_project(const fs::path& path) { return lower_case(path.extension().string()) == ".nsipro"; }

int sniff_nsi_project(const fs::path& path, const ScanAccess& /*access*/) {
  std::error_code failed;
  return scanner_files(path, is_nsi_project).empty() ? 0 : fs::is_directory(path, failed) ? 80 : 90;
}

// The lines of a project.
class NsiProject {
 public:
  static Result<NsiProject> open(const fs::path& path) {
    constexpr int64_t max_bytes = int64_t{1} << 26;
    NsiProject project;
    project.path_ = path;
    TL_TRY(project.text_, read_text(path, "the project", max_bytes));
    project.small_ = lower_case(project.text_);
    return project;
  }

  // The value of a key in the first section of that name. Nothing: it is not there.
  [[nodiscard]] std::optional<std::string> text(const std::string& section, const std::string& key) const {
    const std::string name = lower_case(section), tag = "<" + lower_case(key) + ">";
    const std::size_t begin = small_.find("<" + name + ">");
    if (begin == std::string::npos) return std::nullopt;
    const std::size_t end = std::min(small_.find("</" + name + ">", begin), small_.size());
    const std::size_t at = small_.find(tag, begin + 1);
    if (at >= end) return std::nullopt;
    const std::size_t from = at + tag.size();
    return std::string(trimmed(std::string_view(text_).substr(from, text_.find_first_of("\r\n<", from) - from)));
  }
  [[nodiscard]] Result<std::vector<double>> numbers(const std::string& section, const std::string& key,
                                                    std::size_t count) const {
    const auto found = text(section, key);
    if (!found)
      return invalid("the project does not state " + section + "/" + key, path_.string(),
                     "Save it again in the scanner's program");
    std::string words = *found;
    const auto numbers = numbers_of(words, count);
    constexpr double largest = 1e9;
    if (numbers && std::all_of(numbers->begin(), numbers->end(), [](double n) { return std::abs(n) <= largest; }))
      return *numbers;
    return invalid(
        section + "/" + key + " is not " + counted(static_cast<int64_t>(count), "number") + ": " + printable(words),
        path_.string(), "Correct the line; decimals follow a point");
  }
  [[nodiscard]] Result<Vec3> vector(const std::string& section, const std::string& key) const {
    TL_TRY(const std::vector<double> n, numbers(section, key, 3));
    return Vec3{n[0], n[1], n[2]};
  }
  // A vector of length 1.
  [[nodiscard]] Result<Vec3> direction(const std::string& section, const std::string& key) const {
    TL_TRY(const Vec3 v, vector(section, key));
    if (norm(v) > 0) return (1 / norm(v)) * v;
    return invalid(section + "/" + key + " has no direction", path_.string(), "Calibrate the scan again");
  }
  [[nodiscard]] bool is_true(const std::string& section, const std::string& key) const {
    return lower_case(text(section, key).value_or("")) == "true";
  }

 private:
  fs::path path_;
  std::string text_, small_;  // as it is, and in lower case
};

// Image center (95.707, 123.072) [mm] of the report; nothing: there is none, or it does not say.
std::optional<std::vector<double>> read_nsi_report(const fs::path& folder, TiffScanParts& parts) {
  const auto is_report = [](const fs::path& path) {
    const std::string name = lower_case(path.filename().string());
    return name.starts_with("geometry") && name.ends_with(".rtf");
  };
  constexpr int64_t max_bytes = int64_t{1} << 26;
  for (const fs::path& file : files_in(folder, is_report)) {
    const auto text = read_text(file, "the geometry report", max_bytes);
    if (!text.ok()) continue;
    const std::string& words = text.value();
    const std::size_t at = words.find("Image center"), open = words.find('(', at), close = words.find(')', open);
    if (close == std::string::npos) continue;
    const auto point = numbers_of(words.substr(open + 1, close - open - 1), 2);
    if (!point) continue;
    parts.text_files.push_back({file, stamp_of(file)});
    return point;
  }
  return std::nullopt;
}

// How frames lie in the files, by the corrections that turn them upright.
Result<FrameLayout> read_nsi_layout(const NsiProject& project, const std::string& where) {
  const bool across = project.is_true("Correction", "flipH"), along = project.is_true("Correction", "flipV");
  const std::string turn = project.text("Correction", "rotate").value_or("0");
  if (turn == "90" && !across && !along) return FrameLayout::on_its_side;
  if (turn != "0" && turn != "180")
    return unavailable(
        "frames are turned by " + printable(turn) + " degrees" + (across || along ? " and mirrored" : ""), where,
        "Frames turned by 0, by 180, or by 90 degrees without a flip are read");
  const bool columns = across != (turn == "180"), rows = along != (turn == "180");
  return columns && rows ? FrameLayout::half_turn
         : columns       ? FrameLayout::mirrored_columns
         : rows          ? FrameLayout::mirrored_rows
                         : FrameLayout::as_stored;
}

// The frames, and the flat and the dark next to them or in other folders.
Result<void> find_nsi_frames(const fs::path& folder, TiffScanParts& parts) {
  std::vector<fs::path> folders = subfolders(folder);
  for (const fs::path& sub : folders) {
    if (!parts.views.empty() || !lower_case(sub.filename().string()).starts_with("radiographs")) continue;
    for (const fs::path& file : tiff_files(sub)) parts.views.push_back({file, 0});
  }
  if (parts.views.empty())
    return invalid("there are no TIFF frames in a folder Radiographs next to the project", parts.info.path.string(),
                   "Copy the frames of the scan into it");
  folders.push_back(folder);
  for (const fs::path& sub : folders)
    for (const fs::path& file : tiff_files(sub)) {
      const std::string name = lower_case(file.stem().string());
      if (name == "gain0") parts.flats.push_back({file, 0});
      if (name == "offset") parts.darks.push_back({file, 0});
    }
  const auto is_reference = [](const TiffFrame& frame) {
    const std::string name = lower_case(frame.file.stem().string());
    return name == "gain0" || name == "offset";
  };
  std::erase_if(parts.views, is_reference);
  return ok();
}

// The first view, in axes of ours: z against the axis that points down, y along the beam.
Result<View> first_nsi_view(const NsiProject& project, const std::optional<std::vector<double>>& report,
                            const ScanInfo& info) {
  TL_TRY(const Vec3 source, project.vector("Result", "source"));
  TL_TRY(Vec3 reference, project.vector("Result", "reference"));
  TL_TRY(Vec3 axis, project.direction("Result", "axis"));
  TL_TRY(const Vec3 normal, project.direction("Result", "normal"));
  TL_TRY(const Vec3 across, project.direction("Result", "horizontal"));
  TL_TRY(const std::vector<double> pitch, project.numbers("Object Radiograph", "pitch", 2));
  if (report) {
    reference.x = (*report)[0];
    reference.y = (*report)[1];
  }
  if (axis.y < 0) axis = -1.0 * axis;
  const Vec3 beam = normal - dot(normal, axis) * axis, down = cross(normal, across);
  constexpr double least = 1e-3;  // beams along the axis see no side of the object
  if (norm(beam) < least || std::abs(dot(normal, across)) > least)
    return invalid("the axis, the normal and the horizontal of the project are not across each other",
                   info.path.string(), "Calibrate the scan again");
  const Vec3 y = (1 / norm(beam)) * beam, x = cross(y, axis);
  const auto ours = [&](Vec3 v) { return Vec3{dot(v, x), dot(v, y), dot(v, axis)}; };
  const Vec3 centre = reference + 0.5 * static_cast<double>(info.cols - 1) * pitch[0] * across +
                      0.5 * static_cast<double>(info.rows - 1) * pitch[1] * down;
  return View{ours(source), ours(centre), pitch[0] * ours(across), -pitch[1] * ours(down)};
}

Result<std::unique_ptr<ScanReader>> open_nsi_project(const fs::path& path, const ScanAccess& access) {
  TL_TRY(check_views_stay_as_stated(access.choices, Beam::cone, path));
  std::error_code failed;
  TL_TRY(const fs::path found, only_scanner_file(path, scanner_files(path, is_nsi_project), ".nsipro file"));
  const fs::path file = fs::absolute(found, failed).lexically_normal(), folder = file.parent_path();
  TiffScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "nsi_project";
  parts.text_files = {{file, stamp_of(file)}};
  TL_TRY(const NsiProject project, NsiProject::open(file));
  TL_TRY(parts.layout, read_nsi_layout(project, path.string()));
  TL_TRY(find_nsi_frames(folder, parts));
  TL_TRY(measure_frames(parts, access));
  TL_TRY(const std::vector<double> stated, project.numbers("Object Radiograph", "number", 1));
  if (stated[0] != static_cast<double>(info.views))
    return invalid("the project says " + formatted("%g", stated[0]) + " views, but there " +
                       (info.views == 1 ? "is " : "are ") + counted(info.views, "frame"),
                   path.string(), "Copy the missing frames");
  const auto report = read_nsi_report(folder, parts);
  if (!report)
    info.notes.emplace_back(
        "There is no geometry report with the image center: the position of the detector is that of the project, which "
        "is less exact.");
  TL_TRY(const View first, first_nsi_view(project, report, info));
  TL_TRY(const std::vector<double> step, project.numbers("Object Radiograph", "angleStep", 1));
  const double each = to_stored(project.is_true("Processed", "clockwise") ? step[0] : -step[0], Unit::deg);
  std::vector<View> views;
  for (int64_t i = 0; i < info.views; ++i) {
    const double c = std::cos(each * static_cast<double>(i)), s = std::sin(each * static_cast<double>(i));
    const auto turned = [&](Vec3 p) { return Vec3{c * p.x - s * p.y, s * p.x + c * p.y, p.z}; };
    views.push_back({turned(first.beam), turned(first.detector), turned(first.u), turned(first.v)});
  }
  TL_TRY(state_views(Beam::cone, views, Origin::guessed, "axis, normal and horizontal of the project", info));
  info.notes.emplace_back(
      "Which way the object turns is a guess (clockwise seen from above, where the project says clockwise): if the "
      "volume is mirrored, reverse the rotation.");
  info.notes.emplace_back("Pixels that the scanner lists as defective (.defect) are not corrected.");
  info.flat_positions.assign(parts.flats.size(), -0.5);
  apply_beam(access.choices, info);
  note_missing_references(access.choices, info);
  return make_tiff_scan(std::move(parts), access.choices.order);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(nsi_project) {
  return {
      "nsi_project",
      "North Star Imaging",
      ".nsipro",
      "An .nsipro project of a laboratory scanner, with its geometry report and TIFF frames in a folder Radiographs.",
      tl::io::sniff_nsi_project,
      tl::io::open_nsi_project};
}
