// ScanChoices: metadata given by the user, which overrides or completes that of the file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/io/scan_info.h"

namespace tl::io {

// What one frame of the file contains: a view [row, col], or the sinogram [view, col] of a detector row.
enum class FrameOrder { as_the_file_says, views, sinograms };

// Lengths in mm, angles in rad, energies in keV. At most one of angles_dataset, angles_file and angle_step is given.
// The other datasets are those of a file of no known layout: `data` [frame, row, col], read by the format hdf5.
// image_key has one number per frame of it (0 projection, 1 flat, 2 dark, 3 invalid); flats and darks are datasets of
// their own and exclude it; they may be in another HDF5 file, and one of rank 2 is one frame.
struct ScanChoices {
  std::string data = {}, image_key = {}, flats = {}, darks = {};  // HDF5 paths
  std::filesystem::path flats_file = {}, darks_file = {};         // of flats and darks; empty: the scan's file
  std::string angles_dataset = {};                                // HDF5 path, one angle per view or per frame
  std::filesystem::path angles_file = {};                         // text file in the format of read_angles_file()
  std::optional<double> first_angle = {}, angle_step = {};        // first_angle requires angle_step
  std::optional<PixelKind> kind = {};
  std::optional<Beam> beam = {};
  std::optional<double> source_to_axis = {}, axis_to_detector = {}, energy = {};
  FrameOrder order = FrameOrder::as_the_file_says;

  [[nodiscard]] bool gives_angles() const { return !angles_dataset.empty() || gives_angles_outside_the_file(); }
  [[nodiscard]] bool gives_angles_outside_the_file() const { return !angles_file.empty() || angle_step.has_value(); }
};

// Invalid, naming the parameter of the load node, if choices contradict each other.
Result<void> check(const ScanChoices& choices);

// Sets beam, distances, energy and pixel kind; the numbers are marked as the user's.
void apply_beam(const ScanChoices& choices, ScanInfo& info);
// The same, and angles that do not come from the scan's file: their number must be that of the views.
Result<void> apply(const ScanChoices& choices, ScanInfo& info);

}  // namespace tl::io
