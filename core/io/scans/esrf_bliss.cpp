// Reads raw scans of BLISS, the acquisition software of the ESRF: a sequence of scans of projections, flats and darks.
//
// A scan NUMBER.1 has its frames in measurement/DETECTOR or instrument/DETECTOR/data, and the positions of its motors
// in measurement/MOTOR or instrument/positioners/MOTOR. A tomography sequence is a scan without frames before them,
// whose technique/tomoconfig names detector and rotation motor, and whose technique/scan has energy and distances.
// Sources: the converters that the ESRF publishes for these files (nxtomomill, ebs-tomo, ewoks tasks for NXtomo).
#include <algorithm>
#include <array>

#include "core/base/wording.h"
#include "core/io/hdf5/scan.h"
#include "core/io/reader/joined_scan.h"
#include "core/io/reader/scan_checks.h"
#include "core/io/reader/scan_format.h"
#include "core/io/scans/bliss_scans.h"
#include "core/io/scans/distances.h"

namespace tl::io {
namespace {

// What a sequence says about its scans: names of detectors and motors.
struct BlissRoles {
  std::vector<std::string> detectors, motors;
};

int sniff_bliss(const std::filesystem::path& path, const ScanAccess& access) {
  if (!Hdf5File::is_hdf5(path)) return 0;
  const auto file = Hdf5File::open(path, access.sources);
  if (!file.ok() || bliss_sequences(file.value()).empty()) return 0;
  return is_written_by_bliss(file.value()) ? 98 : 96;  // its instruments look a little like those of NXtomo
}

// The frames of a scan from one of the detectors; empty if it has none.
std::string frames_of_scan(const Hdf5File& file, const BlissScan& scan, const std::vector<std::string>& detectors) {
  for (const std::string& detector : detectors)
    for (const std::string& name :
         {scan.group + "/measurement/" + detector, scan.group + "/instrument/" + detector + "/data",
          scan.group + "/instrument/" + detector + "/image"})
      if (file.has_dataset(name)) return name;
  return {};
}

// Groups of the instrument that hold frames of rank 3; those of class NXdetector come first.
std::vector<std::string> detectors_with_frames(const Hdf5File& file, const BlissScan& scan) {
  constexpr std::size_t max_examined = 256;
  std::vector<std::string> marked, others;
  std::vector<std::string> names = file.children(scan.group + "/instrument");
  names.resize(std::min(names.size(), max_examined));
  for (const std::string& name : names) {
    const std::string frames = frames_of_scan(file, scan, {name});
    if (frames.empty()) continue;
    const auto data = file.dataset(frames);
    if (!data.ok() || data.value().shape().size() != 3) continue;
    const bool is_detector =
        file.attribute(scan.group + "/instrument/" + name, "NX_class").value_or("") == "NXdetector";
    (is_detector ? marked : others).push_back(name);
  }
  marked.insert(marked.end(), others.begin(), others.end());
  return marked;
}

// technique/scan/motor lists three texts per axis: role, motor, name shown to users.
std::vector<std::string> rotation_in_triples(const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i + 2 < texts.size(); i += 3)
    if (texts[i] == "rotation") return {texts[i + 1], texts[i + 2]};
  return {};
}

BlissRoles find_roles(const Hdf5File& file, const BlissSequence& sequence, const BlissScan& first, ScanInfo& info) {
  const std::string config = sequence.head.group + "/technique/tomoconfig";
  BlissRoles roles{file.texts(config + "/detector"), file.texts(config + "/rotation")};
  if (roles.detectors.empty()) {
    roles.detectors = detectors_with_frames(file, first);
    if (!roles.detectors.empty())
      info.notes.push_back("Which detector took the frames is guessed: " + roles.detectors.front() +
                           ", because technique/tomoconfig names none" +
                           (roles.detectors.size() > 1 ? " and " + roles.detectors[1] + " has frames too." : "."));
    roles.detectors.resize(std::min<std::size_t>(roles.detectors.size(), 1));
  }
  for (const std::string& group : {sequence.head.group, first.group})
    if (roles.motors.empty()) roles.motors = rotation_in_triples(file.texts(group + "/technique/scan/motor"));
  if (roles.motors.empty()) {
    // Names of rotation motors at the beamlines of the ESRF.
    roles.motors = {"hrsrot", "srot", "mhsrot", "hsrot", "mrsrot", "rotm", "srot_eh2", "diffrz", "hrrz", "rot"};
    info.notes.emplace_back(
        "Which motor rotates is guessed by its name, because neither technique/tomoconfig nor technique/scan/motor "
        "names it.");
  }
  return roles;
}

// Where the angles of a scan are: a list of the right length, or another list.
std::string angles_dataset_of(const Hdf5File& file, const BlissScan& scan, const BlissRoles& roles, int64_t frames) {
  std::string other;
  for (const std::string& motor : roles.motors)
    for (const std::string& name :
         {scan.group + "/measurement/" + motor, scan.group + "/measurement/" + motor + "_center",
          scan.group + "/measurement/" + motor + "_trig", scan.group + "/instrument/positioners/" + motor,
          scan.group + "/instrument/" + motor + "/value"}) {
      if (!file.has_dataset(name)) continue;
      const auto data = file.dataset(name);
      if (!data.ok() || data.value().shape().size() != 1) continue;
      const int64_t count = data.value().shape()[0];
      // One more: where the motor stood after the last frame.
      if (count == frames || count == frames + 1) return name;
      if (other.empty() && count > 1) other = name;
    }
  return other;
}

// Adds the angles of a scan of projections, and shortens its run to the frames that have one.
Result<void> add_angles_of_scan(const Hdf5File& file, const BlissScan& scan, const BlissRoles& roles, FrameRun& run,
                                ScanInfo& info) {
  const int64_t frames = run.frames.size();
  const std::string name = angles_dataset_of(file, scan, roles, frames);
  if (name.empty()) return ok();
  std::vector<std::string> notes;
  TL_TRY(const Found<std::vector<double>> angles, read_angles(file, name, notes));
  const auto count = static_cast<int64_t>(angles.value.size());
  if (count < frames || count > frames + 1)
    notes.push_back(name + " has " + counted(count, "angle") + " for " + counted(frames, "frame") +
                    ": angle i belongs to frame i, the scan was cut short.");
  run.frames.end = run.frames.begin + std::min(count, frames);
  info.angles.value.insert(info.angles.value.end(), angles.value.begin(),
                           angles.value.begin() + std::min(count, frames));
  if (info.angles.source.empty()) {
    info.angles.source = angles.source;
    info.angles.origin = angles.origin;
  }
  for (const std::string& note : notes)
    if (std::find(info.notes.begin(), info.notes.end(), note) == info.notes.end()) info.notes.push_back(note);
  return ok();
}

// Equal steps over the range of the sequence, where no list of positions fits.
void guess_angles_from_range(const Hdf5File& file, const BlissSequence& sequence, int64_t views, ScanInfo& info) {
  const std::string name = sequence.head.group + "/technique/scan/scan_range";
  const auto range = find_number(file, {name}, Unit::deg, info.notes);
  if (!range) return;
  info.angles = {{}, Origin::guessed, name + " in equal steps"};
  for (int64_t i = 0; i < views; ++i)
    info.angles.value.push_back(range->value * static_cast<double>(i) / static_cast<double>(views));
  info.notes.push_back("No list of motor positions fits the frames: " + name +
                       " in equal steps from 0 is guessed for the angles.");
}

// A pixel size of one number, or of two: across and down.
std::optional<std::array<Found<double>, 2>> pixel_sizes_in(const Hdf5File& file, const std::string& name,
                                                           std::vector<std::string>& notes) {
  const auto first = find_number(file, {name}, Unit::um, notes);
  if (!first || !(first->value > 0)) return std::nullopt;
  std::array<Found<double>, 2> both = {*first, *first};
  const auto data = file.dataset(name);
  const auto values = data.ok() ? data.value().read_all() : Result<std::vector<double>>(std::vector<double>());
  if (values.ok() && values.value().size() > 1 && values.value()[0] > 0 && values.value()[1] > 0)
    both[1].value *= values.value()[1] / values.value()[0];
  return both;
}

// The size at the sample, which optics and cone make smaller than on the detector.
void read_pixel_sizes(const Hdf5File& file, const BlissSequence& sequence, const BlissRoles& roles, ScanInfo& info) {
  const std::string technique = sequence.head.group + "/technique/";
  const std::string detector = roles.detectors.empty() ? "" : roles.detectors.front() + "/";
  const double magnification = magnification_of(info);
  const auto use = [&](std::array<Found<double>, 2> sizes, double factor, const char* words) {
    for (Found<double>& size : sizes) {
      size.value *= factor;
      if (factor != 1) size.source += words;
    }
    info.pixel_size_u = sizes[0];
    info.pixel_size_v = sizes[1];
  };
  if (const auto sizes = pixel_sizes_in(file, technique + "optic/sample_pixel_size", info.notes)) {
    if (info.beam == Beam::cone) return use(*sizes, magnification, " times the magnification");
    return use(*sizes, 1, "");
  }
  for (const std::string& name : {technique + "optic/optics_pixel_size", technique + "scan/detector_pixel_size",
                                  technique + "detector/" + detector + "pixel_size", technique + "detector/pixel_size"})
    if (const auto sizes = pixel_sizes_in(file, name, info.notes)) {
      if (info.beam == Beam::cone) return use(*sizes, 1, "");
      return use(*sizes, 1 / magnification, " divided by the magnification");
    }
}

void read_bliss_metadata(const Hdf5File& file, const BlissSequence& sequence, const BlissRoles& roles,
                         const ScanChoices& choices, ScanInfo& info) {
  const std::string scan = sequence.head.group + "/technique/scan/";
  info.source_to_axis = find_number(file, {scan + "source_sample_distance"}, Unit::mm, info.notes);
  info.axis_to_detector = find_number(file, {scan + "sample_detector_distance"}, Unit::mm, info.notes);
  set_beam_kind({}, info);
  apply_beam(choices, info);
  read_pixel_sizes(file, sequence, roles, info);
  info.energy = find_number(file, {scan + "energy"}, Unit::keV, info.notes);
  info.half_acquisition = file.text(scan + "field_of_view").value_or("") == "Half";
  if (info.half_acquisition)
    info.notes.emplace_back(
        "Half acquisition: the axis lies near the detector's edge and the scan covers a full turn.");
}

// "3.1, 5.1"
std::string group_list(const BlissSequence& sequence, BlissKind kind) {
  std::string text;
  for (const BlissScan& scan : sequence.scans)
    if (scan.kind == kind) text += (text.empty() ? "" : ", ") + scan.group.substr(1);
  return text;
}

bool has_stages(const BlissSequence& sequence) { return sequence.head.title.find("zseries") != std::string::npos; }

// One scan of projections of a sequence, with the flats and darks between its neighbours; all darks (flats) of the
// sequence if there are none.
BlissSequence single_stage(const BlissSequence& sequence, std::size_t at) {
  BlissSequence stage{sequence.head, {sequence.scans[at]}};
  const auto is_projections = [&](std::size_t i) { return sequence.scans[i].kind == BlissKind::projections; };
  for (std::size_t i = at; i-- > 0 && !is_projections(i);) stage.scans.insert(stage.scans.begin(), sequence.scans[i]);
  if (!has_stages(sequence))
    for (std::size_t i = at + 1; i < sequence.scans.size() && !is_projections(i); ++i)
      stage.scans.push_back(sequence.scans[i]);
  for (const BlissKind kind : {BlissKind::darks, BlissKind::flats}) {
    if (!group_list(stage, kind).empty()) continue;
    for (const BlissScan& scan : sequence.scans)
      if (scan.kind == kind) stage.scans.insert(stage.scans.begin(), scan);
  }
  return stage;
}

// The sequence that the user names, by its head or one of its scans of projections; or the first.
Result<BlissSequence> chosen_sequence(const std::vector<BlissSequence>& sequences, const ScanChoices& choices,
                                      const std::filesystem::path& path) {
  std::string all;
  for (const BlissSequence& sequence : sequences) {
    all += (all.empty() ? "" : ", ") + sequence.head.group;
    if (choices.data.empty()) break;
    const bool whole = choices.data == sequence.head.group && sequence.head.kind == BlissKind::sequence;
    for (std::size_t i = 0; i < sequence.scans.size(); ++i) {
      const BlissScan& scan = sequence.scans[i];
      if (scan.kind == BlissKind::projections && (scan.group == choices.data || (whole && has_stages(sequence))))
        return single_stage(sequence, i);
    }
    if (whole) return sequence;
  }
  if (!choices.data.empty())
    return invalid("neither a dataset nor a tomography scan of the file", path.string() + ":" + choices.data,
                   "The scans are " + all);
  const BlissSequence& first = sequences.front();
  if (!has_stages(first)) return first;
  const auto at = std::find_if(first.scans.begin(), first.scans.end(),
                               [](const BlissScan& scan) { return scan.kind == BlissKind::projections; });
  return single_stage(first, static_cast<std::size_t>(at - first.scans.begin()));
}

// What was taken for what, and why.
void explain(const std::vector<BlissSequence>& all, const BlissSequence& chosen, ScanInfo& info) {
  std::string text = "Scan " + chosen.head.group.substr(1) +
                     (chosen.head.title.empty() ? "" : " (\"" + chosen.head.title + "\")") + ": projections of " +
                     group_list(chosen, BlissKind::projections);
  for (const auto& [kind, name] : {std::pair(BlissKind::flats, "flats"), std::pair(BlissKind::darks, "darks")})
    if (const std::string groups = group_list(chosen, kind); !groups.empty())
      text += std::string(", ") + name + " of " + groups;
  info.notes.push_back(text + ".");
  const auto by_title = [](const BlissScan& scan) { return scan.source == KindSource::title; };
  if (std::any_of(chosen.scans.begin(), chosen.scans.end(), by_title))
    info.notes.emplace_back("What a scan holds is taken from its title, because it has no technique/image_key.");
  if (const std::string groups = group_list(chosen, BlissKind::alignment); !groups.empty())
    info.notes.push_back("Frames taken to show what moved are left out: " + groups + ".");
  if (has_stages(chosen))
    info.notes.push_back("The stages of a z series are scans of their own: this is the one with the projections of " +
                         group_list(chosen, BlissKind::projections) + ".");
  if (all.size() > 1 || has_stages(chosen))
    info.notes.push_back(
        "The file holds " + counted(static_cast<int64_t>(all.size()), "tomography sequence") + ". " +
        two_wordings("Another scan is chosen by its number: --data /" + all.back().head.group.substr(1),
                     "Another scan is chosen by its number, in Frames in the file") +
        ".");
}

// The readers of all frames, in the order in which they were taken, with angles and positions of flats.
Result<void> open_frames_of_scans(const Hdf5File& file, const BlissSequence& sequence, const BlissRoles& roles,
                                  const ScanAccess& access, JoinedScanParts& parts) {
  ScanInfo& info = parts.info;
  const bool file_has_angles = !access.choices.gives_angles() && access.content == Content::scan;
  int64_t views = 0;
  for (const BlissScan& scan : sequence.scans) {
    if (scan.kind == BlissKind::alignment) continue;
    const std::string name = frames_of_scan(file, scan, roles.detectors);
    if (name.empty())
      return invalid(
          "the scan has no frames of the detector " + (roles.detectors.empty() ? "" : roles.detectors.front()),
          file.path().string() + ":" + scan.group,
          "It was cut short, or copied without the files that it links: copy the folder whole");
    TL_TRY(std::shared_ptr<ScanReader> reader, open_hdf5_frames(file.path(), name, access.sources));
    FrameRun run = whole_run(std::move(reader), Frames::views);
    const ScanInfo& found = run.reader->info();
    const auto known = [&](const std::vector<std::string>& notes, const std::string& note) {
      return std::find(notes.begin(), notes.end(), note) != notes.end();
    };
    for (const std::string& note : found.notes)
      if (!known(info.notes, note) && !known(found.outside, note)) info.notes.push_back(note);
    take_outside_notes(found, info);
    if (scan.kind == BlissKind::projections) {
      if (views == 0) {
        info.pixel_type = found.pixel_type;
        info.rows = found.rows;
        info.cols = found.cols;
      }
      if (file_has_angles) TL_TRY(add_angles_of_scan(file, scan, roles, run, info));
      views += run.frames.size();
      parts.views.push_back(std::move(run));
    } else if (scan.kind == BlissKind::flats) {
      info.flat_positions.insert(info.flat_positions.end(), static_cast<std::size_t>(run.frames.size()),
                                 static_cast<double>(views) - 0.5);
      parts.flats.push_back(std::move(run));
    } else {
      parts.darks.push_back(std::move(run));
    }
  }
  info.views = views;
  return ok();
}

Result<std::unique_ptr<ScanReader>> open_bliss(const std::filesystem::path& path, const ScanAccess& access) {
  const ScanChoices& choices = access.choices;
  if (choices.order == FrameOrder::sinograms)
    return invalid("the frames of a BLISS scan are views, not sinograms", path.string(),
                   "Leave the order as the file says");
  TL_TRY(const Hdf5File file, Hdf5File::open(path, access.sources));
  const std::vector<BlissSequence> sequences = bliss_sequences(file);
  if (sequences.empty())
    return invalid("no scan holds projections", path.string(),
                   "A scan of projections has technique/image_key = 0 or a title that begins with \"projections\"");
  TL_TRY(const BlissSequence sequence, chosen_sequence(sequences, choices, path));
  JoinedScanParts parts;
  ScanInfo& info = parts.info;
  info.path = path;
  info.format = "esrf_bliss";
  explain(sequences, sequence, info);
  const auto first = std::find_if(sequence.scans.begin(), sequence.scans.end(),
                                  [](const BlissScan& scan) { return scan.kind == BlissKind::projections; });
  const BlissRoles roles = find_roles(file, sequence, *first, info);
  TL_TRY(open_frames_of_scans(file, sequence, roles, access, parts));
  if (!choices.angles_dataset.empty()) {
    TL_TRY(info.angles, read_angles(file, choices.angles_dataset, info.notes));
    info.angles.origin = Origin::user;
  } else if (!choices.gives_angles() && static_cast<int64_t>(info.angles.value.size()) != info.views) {
    info.angles = {};
    guess_angles_from_range(file, sequence, info.views, info);
  }
  if (!info.angles.value.empty())
    info.notes.push_back(rotation_note(info.angles.source.substr(0, info.angles.source.find(" ("))));
  read_bliss_metadata(file, sequence, roles, choices, info);
  TL_TRY(apply(choices, info));
  TL_TRY(check_finite(info.angles.value, "angle", path.string() + ":" + info.angles.source));
  if (!info.angles.value.empty() && static_cast<int64_t>(info.angles.value.size()) != info.views)
    return invalid("there are " + counted(static_cast<int64_t>(info.angles.value.size()), "angle") + " but " +
                       counted(info.views, "projection"),
                   path.string() + ":" + info.angles.source, advice_on_angles());
  info.flats = static_cast<int64_t>(info.flat_positions.size());
  info.darks = static_cast<int64_t>(parts.darks.size());
  note_missing_references(choices, info);
  guess_missing(info);
  return join_scans(std::move(parts));
}

}  // namespace
}  // namespace tl::io

TL_FORMAT(esrf_bliss) {
  return {"esrf_bliss",
          "ESRF BLISS",
          ".h5 .hdf5",
          "Raw HDF5 of the ESRF's acquisition: a tomography sequence with its scans of projections, flats and darks.",
          tl::io::sniff_bliss,
          tl::io::open_bliss};
}
