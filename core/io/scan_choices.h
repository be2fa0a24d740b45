// What the user says about a scan, in place of what its file says, lacks or leaves to guessing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/io/scan_info.h"

namespace tl::io {

// What one frame of the file is: a view [row, col], or the sinogram [view, col] of a detector row.
enum class FrameOrder { as_the_file_says, views, sinograms };

// Lengths in mm, angles in rad. At most one of angles_dataset, angles_file and angle_step is given.
struct ScanChoices {
  std::string angles_dataset = {};                          // HDF5 path, one angle per view or per frame
  std::filesystem::path angles_file = {};                   // text, as read_angles_file() takes it
  std::optional<double> first_angle = {}, angle_step = {};  // first_angle alone says nothing: it needs a step
  std::optional<PixelKind> kind = {};
  std::optional<Beam> beam = {};
  std::optional<double> source_to_axis = {}, axis_to_detector = {};
  FrameOrder order = FrameOrder::as_the_file_says;

  [[nodiscard]] bool gives_angles() const { return !angles_dataset.empty() || gives_angles_outside_the_file(); }
  [[nodiscard]] bool gives_angles_outside_the_file() const { return !angles_file.empty() || angle_step.has_value(); }
};

// The choices agree with one another; otherwise invalid, naming the parameter of the load node.
Result<void> check(const ScanChoices& choices);

// Beam, distances and what the pixels are, marked as the user's.
void apply_beam(const ScanChoices& choices, ScanInfo& info);
// The same, and angles that do not come from the scan's own file: their number must be that of the views.
Result<void> apply(const ScanChoices& choices, ScanInfo& info);

}  // namespace tl::io
