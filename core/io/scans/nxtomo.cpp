// Reads NeXus scans: NXtomo with the variants of ESRF (.nx) and Diamond (classic .nxs), or frames that NXdata groups
// name.
#include <algorithm>
#include <cmath>

#include "core/base/wording.h"
#include "core/io/hdf5/scan.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"
#include "core/io/scans/distances.h"
#include "core/io/scans/frame_kinds.h"
#include "core/io/scans/nxdata.h"

namespace tl::io {
namespace {

// HDF5 paths of the parts of a scan. Empty names are absent.
struct ScanPaths {
  std::string entry;     // "/entry0000"
  std::string detector;  // "/entry0000/instrument/detector"
  std::string data, image_key, control, angles;
  bool angles_are_an_axis = false;  // of an NXdata group: angle i belongs to frame i
};

std::string first_existing(const Hdf5File& file, std::initializer_list<std::string> names) {
  for (const std::string& name : names)
    if (file.has_dataset(name)) return name;
  return {};
}

// The detector's group: "detector" as a rule, else the first group of the instrument that contains frames.
std::string find_detector(const Hdf5File& file, const std::string& entry) {
  const std::string instrument = entry + "/instrument";
  if (file.has(instrument + "/detector")) return instrument + "/detector";
  for (const std::string& name : file.children(instrument))
    if (file.has_dataset(instrument + "/" + name + "/data")) return instrument + "/" + name;
  return instrument + "/detector";
}

bool have_same_shape(const Hdf5File& file, const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto first = file.dataset(a), second = file.dataset(b);
  return first.ok() && second.ok() && first.value().shape() == second.value().shape();
}

ScanPaths find_paths(const Hdf5File& file, const std::string& entry) {
  ScanPaths p;
  p.entry = entry;
  p.detector = find_detector(file, entry);
  p.data = first_existing(file, {p.detector + "/data", entry + "/data/data"});
  p.image_key = first_existing(file, {p.detector + "/image_key", entry + "/data/image_key"});
  p.control = first_existing(file, {p.detector + "/image_key_control", entry + "/data/image_key_control"});
  p.angles = first_existing(file, {entry + "/sample/rotation_angle", entry + "/data/rotation_angle"});
  if (!p.data.empty() && !p.image_key.empty() && !p.angles.empty()) return p;
  // Datasets that are still missing may have any name: NXdata groups state which datasets are frames, and which axes
  // are angles. Groups of other frames, such as previews and other detectors, are ignored.
  for (const NxData& d : plotted_frames(file, entry)) {
    const std::string key = first_existing(file, {d.group + "/image_key"});
    if (p.data.empty() && (!key.empty() || !p.image_key.empty() || !d.angles.empty())) p.data = d.signal;
    if (!have_same_shape(file, p.data, d.signal)) continue;
    if (p.image_key.empty()) p.image_key = key;
    if (p.angles.empty()) {
      p.angles = d.angles;
      p.angles_are_an_axis = !d.angles.empty();
    }
  }
  return p;
}

bool is_scan(const Hdf5File& file, const std::string& entry) {
  if (const auto definition = file.text(entry + "/definition"); definition && *definition == "NXtomo") return true;
  const ScanPaths p = find_paths(file, entry);
  return !p.data.empty() && (!p.image_key.empty() || p.angles_are_an_axis);
}

// Entries are children of the root; in Diamond's classic files the scan is one level deeper. The depth is fixed, so
// circular links do no harm.
std::vector<std::string> find_entries(const Hdf5File& file) {
  std::vector<std::string> found;
  for (const std::string& name : file.children("/")) {
    const std::string entry = "/" + name;
    // A cheap test first, for files with thousands of other groups.
    const bool may_be = file.has(entry + "/definition") || file.has(entry + "/instrument") ||
                        file.has(entry + "/data") || file.attribute(entry, "NX_class").value_or("") == "NXentry";
    if (may_be && is_scan(file, entry)) {
      found.push_back(entry);
    } else if (file.has(entry + "/tomo_entry") && is_scan(file, entry + "/tomo_entry")) {
      found.push_back(entry + "/tomo_entry");
    }
  }
  const auto chosen = file.attribute("/", "default");
  const auto at = chosen ? std::find(found.begin(), found.end(), "/" + *chosen) : found.end();
  if (at != found.end()) std::rotate(found.begin(), at, at + 1);
  return found;
}

// The entry that the user names, or the first.
Result<std::string> chosen_entry(const std::vector<std::string>& entries, const ScanChoices& choices,
                                 const Hdf5File& file) {
  if (choices.data.empty() || std::find(entries.begin(), entries.end(), choices.data) != entries.end())
    return choices.data.empty() ? entries.front() : choices.data;
  std::string all;
  for (const std::string& entry : entries) all += (all.empty() ? "" : ", ") + entry;
  return invalid("neither a dataset nor one of the scans in the file", file.path().string() + ":" + choices.data,
                 "The scans are " + all);
}

int sniff_nxtomo(const std::filesystem::path& path, const ScanAccess& access) {
  if (!Hdf5File::is_hdf5(path)) return 0;
  const auto file = Hdf5File::open(path, access.sources);
  return file.ok() && !find_entries(file.value()).empty() ? 95 : 10;
}

void read_distances(const Hdf5File& file, const ScanPaths& p, ScanInfo& info) {
  const std::string& e = p.entry;
  info.source_to_axis =
      find_number(file, {e + "/instrument/source/distance", e + "/source/distance"}, Unit::m, info.notes);
  info.axis_to_detector =
      find_number(file, {p.detector + "/distance", e + "/sample/propagation_distance"}, Unit::m, info.notes);
  set_beam_kind(file.text(e + "/instrument/source/type").value_or(""), info);
}

// Pixel sizes: of the detector for a cone beam; for a parallel beam those at the sample, which optics make smaller.
void read_pixel_sizes(const Hdf5File& file, const ScanPaths& p, ScanInfo& info) {
  const auto size = [&](const std::string& name) {
    const std::string at_detector = p.detector + "/" + name, at_sample = p.entry + "/sample/" + name;
    auto found = info.beam == Beam::cone ? find_number(file, {at_detector}, Unit::m, info.notes)
                                         : find_number(file, {at_sample, at_detector}, Unit::m, info.notes);
    if (!found && info.beam == Beam::cone) {
      found = find_number(file, {at_sample}, Unit::m, info.notes);
      if (found) found->value *= magnification_of(info);
      if (found) found->source += " times the magnification";
    }
    // In a nearly parallel beam, voxels have the size of a pixel projected back to the sample.
    if (found && info.beam == Beam::parallel && info.source_to_axis && info.axis_to_detector &&
        info.axis_to_detector->value > 0 && found->source.find(at_detector) != std::string::npos) {
      found->value /= magnification_of(info);
      found->source += " divided by the magnification";
    }
    if (found && found->value > 0) return *found;
    if (found) info.notes.push_back(found->source + " is not a positive length: it is ignored.");
    return Found<double>{};
  };
  info.pixel_size_u = size("x_pixel_size");
  info.pixel_size_v = size("y_pixel_size");
}

// Some writers count the axis position from the detector's centre, others from its edge; the file does not say which.
void read_axis_hint(const Hdf5File& file, const ScanPaths& p, int64_t cols, ScanInfo& info) {
  std::vector<std::string> quiet;
  const std::string name = p.detector + "/x_rotation_axis_pixel_position";
  if (!file.has_dataset(name)) return;
  const auto hint = find_number(file, {name}, Unit::px, quiet);
  if (!hint) return;
  const bool from_edge = hint->value > 0.5 * static_cast<double>(cols);
  info.axis_hint = {from_edge ? axis_from_column(hint->value, cols) : hint->value, Origin::file, name};
  info.notes.push_back(name + " is " + std::to_string(hint->value) + " px, taken as counted from the detector's " +
                       (from_edge ? "edge" : "centre") +
                       ". Writers differ on that, so it is a hint that nothing uses by itself.");
}

// Records of streams whose sender states where source and detector are in every view have that next to the frames.
Result<void> read_positions(const ScanPaths& p, const ScanChoices& choices, Hdf5ScanParts& parts) {
  const std::string name = p.detector + "/view_positions";
  if (!parts.file.has_dataset(name)) return ok();
  ScanInfo& info = parts.info;
  if (choices.gives_angles() || choices.source_to_axis || choices.axis_to_detector || choices.beam) {
    info.notes.push_back(name +
                         " states where source and detector are in every view. It is not used, because angles, "
                         "beam or distances were given.");
    return ok();
  }
  TL_TRY(const auto data, parts.file.dataset(name));
  TL_TRY(std::vector<double> numbers, data.read_all());
  constexpr std::size_t numbers_of_view = 12;
  const std::size_t views = parts.projections.frames.size();
  if (numbers.size() != numbers_of_view * views)
    return invalid("the file states " + std::to_string(numbers.size()) +
                       " numbers about where source and detector are, "
                       "not twelve for each of " +
                       std::to_string(views) + " views",
                   parts.file.path().string() + ":" + name);
  info.vectors = {std::move(numbers), Origin::file, name};
  info.notes.emplace_back("Source and detector have positions of their own in every view.");
  return ok();
}

// Adds a note about the counts of a beam monitor (one per frame), which are not used.
void note_monitor(const Hdf5File& file, const ScanPaths& p, ScanInfo& info) {
  const std::string name = first_existing(file, {p.entry + "/control/data", p.entry + "/control/intensity"});
  if (name.empty()) return;
  const auto data = file.dataset(name);
  if (!data.ok()) return;
  const auto counts = data.value().read_all();
  if (!counts.ok() || counts.value().empty()) return;
  const auto [low, high] = std::minmax_element(counts.value().begin(), counts.value().end());
  const double swing = *high > 0 ? 100 * (*high - *low) / *high : 0;
  info.notes.push_back(
      name + " is the beam monitor of each frame and varies by " + std::to_string(std::lround(swing)) +
      " %. It is not used: where brightness changes from view to view, the node correct.beam_intensity "
      "takes that from air next to the object.");
}

void read_rest(const Hdf5File& file, const ScanPaths& p, ScanInfo& info) {
  const std::string& e = p.entry;
  note_monitor(file, p, info);
  info.energy = find_number(
      file,
      {e + "/instrument/beam/incident_energy", e + "/beam/incident_energy", e + "/instrument/monochromator/energy"},
      Unit::keV, info.notes);
  info.half_acquisition = file.text(p.detector + "/field_of_view").value_or("") == "Half";
  if (info.half_acquisition)
    info.notes.emplace_back(
        "Half acquisition: the axis lies near the detector's edge and the scan covers a full turn.");
  if (const auto quantity = file.attribute(p.data, "quantity"))
    for (const PixelKind kind :
         {PixelKind::counts, PixelKind::transmission, PixelKind::absorption, PixelKind::thickness})
      if (*quantity == to_string(kind)) info.kind = kind;
}

Result<std::unique_ptr<ScanReader>> open_nxtomo(const std::filesystem::path& path, const ScanAccess& access) {
  const ScanChoices& choices = access.choices;
  if (choices.order == FrameOrder::sinograms)
    return invalid("the frames of an NXtomo scan are views, not sinograms", path.string(),
                   "Leave the order as the file says");
  TL_TRY(Hdf5File file, Hdf5File::open(path, access.sources));
  const std::vector<std::string> entries = find_entries(file);
  if (entries.empty())
    return invalid(
        "no entry is an NXtomo scan", path.string(),
        "An entry needs definition = NXtomo, or instrument/detector with data and image_key, or a group NXdata "
        "whose signal has three dimensions, with image_key in the same group or an axis of angles");
  Hdf5ScanParts parts{std::move(file), {}, {}, {}, {}, FrameOrder::views, access.content};
  ScanInfo& info = parts.info;
  info.format = "nxtomo";
  TL_TRY(const std::string entry, chosen_entry(entries, choices, parts.file));
  ScanPaths p = find_paths(parts.file, entry);
  if (!choices.angles_dataset.empty()) {
    p.angles = choices.angles_dataset;
    p.angles_are_an_axis = false;
  }
  if (entries.size() > 1)
    info.notes.push_back("The file holds " + std::to_string(entries.size()) + " scans; this is " + p.entry + ". " +
                         two_wordings("Another is chosen by --data /ENTRY", "Another is chosen by Frames in the file") +
                         ".");
  TL_TRY(parts.projections.dataset, frame_dataset(parts.file, p.data.empty() ? p.detector + "/data" : p.data));
  TL_TRY(sort_frames(p.image_key, p.control, parts));
  if (!choices.gives_angles_outside_the_file() && access.content == Content::scan)
    TL_TRY(sort_angles(p.angles, p.angles_are_an_axis, parts));
  read_distances(parts.file, p, info);
  apply_beam(choices, info);
  read_pixel_sizes(parts.file, p, info);
  read_axis_hint(parts.file, p, parts.projections.dataset->shape()[2], info);
  read_rest(parts.file, p, info);
  TL_TRY(read_positions(p, choices, parts));
  return make_hdf5_scan(std::move(parts), choices);
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(nxtomo) {
  return {"nxtomo",
          "NeXus NXtomo",
          ".nx .nxs .h5 .hdf5",
          "HDF5 with an NXtomo entry, as ESRF, Diamond and others write, or with frames and angles in NXdata groups.",
          tl::io::sniff_nxtomo,
          tl::io::open_nxtomo};
}
