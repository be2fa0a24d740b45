// Reads APS Data Exchange files: /exchange/data with flats, darks and angles in the same group.
#include <algorithm>
#include <cmath>

#include "core/base/wording.h"
#include "core/io/hdf5/scan.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"

namespace tl::io {
namespace {

const std::string data_name = "/exchange/data";

int sniff_dxchange(const std::filesystem::path& path, const ScanAccess& access) {
  if (!Hdf5File::is_hdf5(path)) return 0;
  const auto file = Hdf5File::open(path, access.sources);
  if (!file.ok()) return 10;
  // Checked by name: a file with a dangling link is still of this format, and the error of opening it names the target.
  const auto names = file.value().children("/exchange");
  return std::find(names.begin(), names.end(), "data") != names.end() ? 90 : 10;
}

// All frames of the first dataset of references that exists and is not empty; a null dataset if none does.
Result<FrameList> all_references(const Hdf5File& file, std::initializer_list<std::string> names,
                                 std::vector<std::string>& notes) {
  FrameList list;
  for (const std::string& name : names) {
    if (!file.has_dataset(name)) continue;
    if (file.is_empty_dataset(name)) {
      notes.push_back(name + " is empty: as if it were absent.");
      continue;
    }
    TL_TRY(list.dataset, reference_dataset(file, name));
    list.frames = all_frame_numbers(*list.dataset);
    break;
  }
  return list;
}

// The attribute "axes" marks files in sinogram order ("y:theta:x").
Result<FrameOrder> stored_order(const Hdf5Dataset& data, const ScanChoices& choices) {
  if (choices.order != FrameOrder::as_the_file_says) return FrameOrder(choices.order);
  const auto axes = data.attribute("axes");
  if (!axes || axes->find("theta") == std::string::npos || axes->starts_with("theta")) return FrameOrder::views;
  if (axes->starts_with("y:theta")) return FrameOrder::sinograms;
  return invalid("the axes are \"" + *axes + "\"; theta:y:x (views) and y:theta:x (sinograms) can be read",
                 data.where(),
                 two_wordings("Say which it is with the parameter order of the load node (--sinograms)",
                              "Say which it is by Frames are, in the form of the load node"));
}

// /process/acquisition/rotation holds start, step and number instead of a list.
Result<void> angles_from_steps(const Hdf5File& file, int64_t views, ScanInfo& info) {
  const std::string folder = "/process/acquisition/rotation/";
  const auto start = find_number(file, {folder + "rotation_start"}, Unit::deg, info.notes);
  const auto step = find_number(file, {folder + "rotation_step"}, Unit::deg, info.notes);
  if (!start || !step) return ok();
  const auto count = file.dataset(folder + "num_angles");
  if (count.ok()) {
    TL_TRY(const std::vector<double> n, count.value().read_all());
    if (!n.empty() && n.front() != static_cast<double>(views))
      return invalid(
          "num_angles is " + std::to_string(std::llround(n.front())) + " but there are " + counted(views, "projection"),
          count.value().where(), advice_on_angles());
  }
  info.angles = {{}, Origin::file, folder + "rotation_{start,step}"};
  for (int64_t i = 0; i < views; ++i) info.angles.value.push_back(start->value + step->value * static_cast<double>(i));
  return ok();
}

Result<void> read_angles_of(const Hdf5File& file, int64_t views, const ScanChoices& choices, ScanInfo& info) {
  if (choices.gives_angles_outside_the_file()) return ok();
  if (!choices.angles_dataset.empty()) {
    TL_TRY(info.angles, read_angles(file, choices.angles_dataset, info.notes));
    info.angles.origin = Origin::user;
  } else if (file.has_dataset("/exchange/theta")) {
    TL_TRY(info.angles, read_angles(file, "/exchange/theta", info.notes));
  } else {
    TL_TRY(angles_from_steps(file, views, info));
  }
  if (!info.angles.value.empty()) info.notes.push_back(rotation_note(info.angles.source));
  return ok();
}

void read_measurement(const Hdf5File& file, ScanInfo& info) {
  const std::string instrument = "/measurement/instrument/";
  const auto pixel = find_number(file, {instrument + "detection_system/objective/resolution"}, Unit::um, info.notes);
  if (pixel && pixel->value > 0) info.pixel_size_u = info.pixel_size_v = *pixel;
  info.energy = find_number(file, {instrument + "monochromator/energy"}, Unit::keV, info.notes);
  info.axis_to_detector =
      find_number(file, {instrument + "detector_motor_stack/setup/camera_distance"}, Unit::mm, info.notes);
}

Result<std::unique_ptr<ScanReader>> open_dxchange(const std::filesystem::path& path, const ScanAccess& access) {
  TL_TRY(Hdf5File file, Hdf5File::open(path, access.sources));
  Hdf5ScanParts parts{std::move(file), {}, {}, {}, {}, FrameOrder::views, access.content};
  ScanInfo& info = parts.info;
  info.format = "dxchange";
  TL_TRY(parts.projections.dataset, frame_dataset(parts.file, data_name));
  TL_TRY(parts.order, stored_order(*parts.projections.dataset, access.choices));
  parts.projections.frames = all_frame_numbers(*parts.projections.dataset);
  TL_TRY(parts.flats,
         all_references(parts.file, {"/exchange/data_white", "/process/acquisition/flat_fields/flat_field_value"},
                        info.notes));
  TL_TRY(parts.darks,
         all_references(parts.file, {"/exchange/data_dark", "/process/acquisition/dark_fields/dark_field_value"},
                        info.notes));
  const int64_t views = parts.projections.dataset->shape()[parts.order == FrameOrder::sinograms ? 1 : 0];
  TL_TRY(read_angles_of(parts.file, views, access.choices, info));
  read_measurement(parts.file, info);
  // All before the first view. Equal positions make the flat-field node use the mean of the flats, whenever they were
  // taken.
  info.flat_positions.assign(parts.flats.frames.size(), -0.5);
  if (!parts.flats.frames.empty())
    info.notes.emplace_back(
        "Data Exchange does not say when the flats were taken: all count as taken before the scan.");
  return make_hdf5_scan(std::move(parts), access.choices);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(dxchange) {
  return {"dxchange",
          "APS Data Exchange",
          ".h5 .hdf5 .hdf",
          "HDF5 with /exchange/data, data_white, data_dark and theta.",
          tl::io::sniff_dxchange,
          tl::io::open_dxchange};
}
