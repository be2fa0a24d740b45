// Reads cone-beam scans with a measured geometry: TIFF frames and a text with the positions of source and detector in
// every view, as in the walnut data of Der Sarkissian et al. 2019 (Scientific Data 6, 215).
//
// Conventions as in the code published with the data. Lengths in mm; a line of the geometry is one view as in ASTRA's
// cone_vec, whose pixel (row, col) lies at detector + (col - (cols-1)/2) u + (row - (rows-1)/2) v: our v is minus that.
// The camera stands on its side: row r, column c of a view is row rows-1-c, column r of its frame, where rows is the
// number of the frame's rows. Frames are numbered against the lines: line i belongs to the i-th last frame.
#include <algorithm>
#include <cstdlib>

#include "core/base/printable.h"
#include "core/base/vec3.h"
#include "core/io/reader/joined_scan.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/scans/stated_views.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/vectors_file.h"
#include "core/io/tiff/scan.h"

namespace tl::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_geometry = "scan_geom_corrected.geom";

bool is_geometry_name(const fs::path& path) { return path.extension() == ".geom"; }

fs::path geometry_of_scan(const fs::path& path) { return is_geometry_name(path) ? path : path / usual_geometry; }

bool is_orbit(const fs::path& path) {
  std::error_code failed;
  const fs::path geometry = geometry_of_scan(path);
  return fs::is_regular_file(geometry, failed) && has_tiff_files(geometry.parent_path());
}

// The orbits of one object: the folder or file itself, or the folders in it (or in its folder Projections) that are
// orbits, in the order of their names.
std::vector<fs::path> orbits_of(const fs::path& path) {
  if (is_orbit(path)) return {path};
  std::vector<fs::path> orbits;
  for (const fs::path& folder : {path, path / "Projections"}) {
    if (!orbits.empty()) break;
    for (const fs::path& sub : subfolders(folder))
      if (is_orbit(sub)) orbits.push_back(sub);
  }
  return orbits;
}

int sniff_walnut(const fs::path& path, const ScanAccess& /*access*/) { return orbits_of(path).empty() ? 0 : 85; }

// Views in the order of the lines: the frames scan_NUMBER.tif from the last to the first.
Result<void> list_frames(const fs::path& folder, TiffScanParts& parts) {
  std::vector<fs::path> frames;
  std::size_t others = 0;
  for (const fs::path& file : tiff_files(folder)) {
    const FrameKind kind = frame_kind(file.stem().string());
    if (kind == FrameKind::flat)
      parts.flats.push_back({file, 0});
    else if (kind == FrameKind::dark)
      parts.darks.push_back({file, 0});
    else if (file.stem().string().starts_with("scan_"))
      frames.push_back(file);
    else
      ++others;
  }
  if (frames.empty())
    return invalid("there is no frame called scan_NUMBER.tif next to the geometry", parts.info.path.string(),
                   "Copy the frames of the scan into the folder of the geometry");
  for (std::size_t i = 1; i < frames.size(); ++i) {
    const auto number = [&](std::size_t n) { return std::atoll(frames[n].stem().string().c_str() + 5); };
    if (number(i) != number(i - 1) + 1)
      return invalid("frames are missing: after " + printable(frames[i - 1].filename().string()) + " comes " +
                         printable(frames[i].filename().string()),
                     parts.info.path.string(), "Copy the missing frames");
  }
  std::reverse(frames.begin(), frames.end());
  for (const fs::path& file : frames) parts.views.push_back({file, 0});
  if (others > 0)
    parts.info.notes.push_back(counted(static_cast<int64_t>(others), "TIFF file") +
                               " not called scan_NUMBER left out.");
  return ok();
}

// Leaves out a last view that repeats the first. Invalid unless there is a line per frame, or one less.
Result<void> pair_lines(std::vector<ConeVector>& lines, const fs::path& geometry, TiffScanParts& parts) {
  constexpr double same_position = 1e-3;  // of the source's distance; views are much farther apart
  const auto frames = parts.views.size();
  if (lines.size() != frames && lines.size() + 1 != frames)
    return invalid("the geometry has " + counted(static_cast<int64_t>(lines.size()), "view") + ", but there " +
                       (frames == 1 ? "is 1 frame" : "are " + std::to_string(frames) + " frames"),
                   geometry.string(), "Copy the missing frames, or the geometry of this scan");
  const auto source = [&](std::size_t i) { return Vec3{lines[i][0], lines[i][1], lines[i][2]}; };
  const bool repeats =
      lines.size() == frames && frames > 2 && norm(source(frames - 1) - source(0)) < same_position * norm(source(0));
  if (!repeats && lines.size() == frames) return ok();
  parts.info.notes.push_back("The frame " + parts.views.back().file.filename().string() + " left out: it " +
                             (repeats ? "repeats the first view." : "has no line in the geometry."));
  parts.views.pop_back();
  lines.resize(parts.views.size());
  return ok();
}

std::vector<View> views_of(const std::vector<ConeVector>& lines) {
  std::vector<View> views;
  for (const ConeVector& n : lines)
    views.push_back({{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}, {-n[9], -n[10], -n[11]}});
  return views;
}

Result<std::unique_ptr<ScanReader>> open_orbit(const fs::path& path, const ScanAccess& access) {
  std::error_code failed;
  const fs::path geometry = geometry_of_scan(fs::absolute(path, failed).lexically_normal());
  TiffScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "walnut";
  parts.layout = FrameLayout::on_its_side;
  parts.text_files = {{geometry, stamp_of(geometry)}};
  TL_TRY(std::vector<ConeVector> lines, read_vectors_file(geometry));
  TL_TRY(list_frames(geometry.parent_path(), parts));
  TL_TRY(pair_lines(lines, geometry, parts));
  TL_TRY(measure_frames(parts, access));
  TL_TRY(state_views(Beam::cone, views_of(lines), Origin::file, geometry.filename().string(), info));
  info.notes.emplace_back(
      "Source and detector have positions of their own in every view. Frames stand on their side, and are numbered "
      "against the lines of the geometry.");
  info.flat_positions.assign(parts.flats.size(), -0.5);
  apply_beam(access.choices, info);
  note_missing_references(access.choices, info);
  return make_tiff_scan(std::move(parts), access.choices.order);
}

void add_numbers(const std::optional<Found<std::vector<double>>>& from, Found<std::vector<double>>& to) {
  if (from) to.value.insert(to.value.end(), from->value.begin(), from->value.end());
}

// The flats of an orbit stand with its first and with its last view, so that no view takes any of its neighbours'.
void add_orbit(const fs::path& folder, const std::shared_ptr<ScanReader>& reader, JoinedScanParts& parts) {
  const ScanInfo& orbit = reader->info();
  ScanInfo& info = parts.info;
  const auto first = static_cast<double>(info.views), last = first + static_cast<double>(orbit.views - 1);
  for (const double at : {first - 0.25, last + 0.25}) {
    info.flat_positions.insert(info.flat_positions.end(), static_cast<std::size_t>(orbit.flats), at);
    parts.flats.push_back(whole_run(reader, Frames::flats));
  }
  parts.views.push_back(whole_run(reader, Frames::views));
  parts.darks.push_back(whole_run(reader, Frames::darks));
  add_numbers(orbit.vectors, *info.vectors);
  add_numbers(orbit.angles, info.angles);
  const auto add = [](const Found<double>& from, Found<double>& to) { to.value += from.value; };
  add(*orbit.source_to_axis, *info.source_to_axis);
  add(*orbit.axis_to_detector, *info.axis_to_detector);
  add(orbit.pixel_size_u, info.pixel_size_u);
  add(orbit.pixel_size_v, info.pixel_size_v);
  for (const std::string& note : orbit.notes)
    if (std::find(info.notes.begin(), info.notes.end(), note) == info.notes.end()) info.notes.push_back(note);
  info.notes.push_back(folder.filename().string() + " has the views " + std::to_string(info.views) + " to " +
                       std::to_string(info.views + orbit.views - 1) + ".");
  info.views += orbit.views;
}

// The views of all orbits, one after the other, with the flats of each.
Result<std::unique_ptr<ScanReader>> open_walnut(const fs::path& path, const ScanAccess& access) {
  TL_TRY(check_views_stay_as_stated(access.choices, Beam::cone, path));
  const std::vector<fs::path> orbits = orbits_of(fs::absolute(path).lexically_normal());
  if (orbits.size() < 2) return open_orbit(orbits.empty() ? path : orbits.front(), access);
  JoinedScanParts parts;
  ScanInfo& info = parts.info;
  for (const fs::path& orbit : orbits) {
    TL_TRY(const std::shared_ptr<ScanReader> reader, open_orbit(orbit, access));
    if (parts.views.empty()) {
      info = reader->info();
      info.path = path;
      info.views = 0;
      info.notes = {"The orbits of " + std::to_string(orbits.size()) +
                    " folders are one scan, each corrected with the flats of its own; darks are averaged over all."};
      info.flat_positions.clear();
      info.angles.value.clear();
      info.vectors->value.clear();
      for (Found<double>* sum :
           {&*info.source_to_axis, &*info.axis_to_detector, &info.pixel_size_u, &info.pixel_size_v})
        sum->value = 0;
    }
    add_orbit(orbit, reader, parts);
  }
  for (Found<double>* sum : {&*info.source_to_axis, &*info.axis_to_detector, &info.pixel_size_u, &info.pixel_size_v})
    sum->value /= static_cast<double>(orbits.size());
  return join_scans(std::move(parts));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(walnut) {
  return {
      "walnut",
      "Walnut (measured geometry)",
      ".geom",
      "TIFF frames scan_NUMBER and scan_geom_corrected.geom with the positions of source and detector in each view.",
      tl::io::sniff_walnut,
      tl::io::open_walnut};
}
