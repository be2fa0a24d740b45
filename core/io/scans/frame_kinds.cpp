// Sorts the frames of an HDF5 scan by their keys, and gives each projection its angle.
#include "core/io/scans/frame_kinds.h"

#include "core/io/reader/scan_checks.h"

namespace tl::io {
namespace {

Result<std::vector<double>> per_frame(const Hdf5File& file, const std::string& name, int64_t frames) {
  TL_TRY(const Hdf5Dataset data, file.dataset(name));
  TL_TRY(std::vector<double> values, data.read_all());
  if (static_cast<int64_t>(values.size()) != frames)
    return invalid(
        "it has " + counted(static_cast<int64_t>(values.size()), "value") + " for " + counted(frames, "frame"),
        data.where(), "It needs one value per frame, darks and flats included");
  return values;
}

// A scan that was interrupted has fewer frames than angles, or fewer angles than frames: angle i belongs to frame i,
// and projections beyond the last angle are left out.
Result<void> trim_to_axis(const std::string& name, std::size_t angles, Hdf5ScanParts& parts) {
  std::vector<int64_t>& frames = parts.projections.frames;
  const auto without = [&](int64_t i) { return i >= static_cast<int64_t>(angles); };
  const auto left_out = static_cast<int64_t>(std::erase_if(frames, without));
  parts.info.notes.push_back(name + " has " + counted(static_cast<int64_t>(angles), "angle") + " for " +
                             counted(parts.projections.dataset->shape()[0], "frame") +
                             ": angle i belongs to frame i, " +
                             (left_out > 0 ? counted(left_out, "projection") + " without an angle left out."
                                           : "the last angles are not used."));
  if (frames.empty())
    return invalid("no projection has an angle", parts.file.path().string() + ":" + name, advice_on_angles());
  return ok();
}

}  // namespace

Result<void> sort_frames(const std::string& image_key, const std::string& control_key, Hdf5ScanParts& parts) {
  ScanInfo& info = parts.info;
  const auto data = parts.projections.dataset;
  const int64_t frames = data->shape()[0];
  std::vector<double> keys(static_cast<std::size_t>(frames), 0.0), control;
  if (image_key.empty()) {
    info.notes.emplace_back("There is no image_key: all frames count as projections.");
  } else {
    TL_TRY(keys, per_frame(parts.file, image_key, frames));
  }
  if (!control_key.empty()) {
    TL_TRY(control, per_frame(parts.file, control_key, frames));
  }
  int64_t unused = 0, alignment = 0;
  for (int64_t i = 0; i < frames; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const double key = keys[n];
    if (key == 1) {
      parts.flats.frames.push_back(i);
      // The flat's position is between the projections before and after it.
      info.flat_positions.push_back(static_cast<double>(parts.projections.frames.size()) - 0.5);
    } else if (key == 2) {
      parts.darks.frames.push_back(i);
    } else if (key == 3) {
      ++unused;
    } else if (key == -1 || (key == 0 && !control.empty() && control[n] == -1)) {
      ++alignment;
    } else if (key == 0) {
      parts.projections.frames.push_back(i);
    } else {
      return invalid("frame " + std::to_string(i) + " has the key " + std::to_string(key),
                     parts.file.path().string() + ":" + image_key, "Keys are 0 projection, 1 flat, 2 dark, 3 invalid");
    }
  }
  if (parts.projections.frames.empty() && parts.content == Content::scan)
    return invalid("none of the " + counted(frames, "frame") + " is a projection (key 0)",
                   parts.file.path().string() + ":" + image_key, "Correct the keys in the file");
  if (!parts.flats.frames.empty()) parts.flats.dataset = data;
  if (!parts.darks.frames.empty()) parts.darks.dataset = data;
  if (unused > 0) info.notes.push_back(counted(unused, "frame") + " marked invalid (key 3) left out.");
  if (alignment > 0) info.notes.push_back(counted(alignment, "alignment frame") + " (key -1) left out.");
  return ok();
}

Result<void> sort_angles(const std::string& name, bool is_axis, Hdf5ScanParts& parts) {
  if (name.empty()) return ok();
  ScanInfo& info = parts.info;
  TL_TRY(Found<std::vector<double>> all, read_angles(parts.file, name, info.notes));
  const auto frames = static_cast<std::size_t>(parts.projections.dataset->shape()[0]);
  const std::vector<int64_t>& wanted = parts.projections.frames;
  if (all.value.size() == frames) {
    for (const int64_t i : wanted) info.angles.value.push_back(all.value[static_cast<std::size_t>(i)]);
  } else if (all.value.size() == wanted.size()) {
    info.angles.value = all.value;
    info.notes.push_back(name + " has one angle per projection, not per frame.");
  } else if (is_axis) {
    TL_TRY(trim_to_axis(name, all.value.size(), parts));
    for (const int64_t i : wanted) info.angles.value.push_back(all.value[static_cast<std::size_t>(i)]);
  } else {
    return invalid("there are " + counted(static_cast<int64_t>(all.value.size()), "angle") + " for " +
                       counted(static_cast<int64_t>(frames), "frame") + " with " +
                       counted(static_cast<int64_t>(wanted.size()), "projection"),
                   parts.file.path().string() + ":" + name, advice_on_angles());
  }
  info.angles.origin = all.origin;
  info.angles.source = all.source;
  info.notes.push_back(rotation_note(name));
  return ok();
}

}  // namespace tl::io
