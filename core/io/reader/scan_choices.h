// ScanChoices: metadata stated by the user, which override or complete those in the scan's file. The load node has a
// parameter for each, options of the command line and the studio set these, and they are passed to readers and the
// reading process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/io/bytes/byte_order.h"
#include "core/io/reader/scan_info.h"

namespace tl::io {

// Contents of one frame of the file: a view [row, col], or the sinogram [view, col] of a detector row.
enum class FrameOrder { as_the_file_says, views, sinograms };

// Radians: numbers that were taken for degrees, because a file states no unit or a wrong one, are radians.
enum class AngleUnit { as_the_file_says, radians };

// The meaning of pixel values. In percent, 100 is transmission 1.
enum class ScanPixels { as_the_file_says, counts, transmission, percent, absorption };

// Flats and darks whose level clearly differs from that of the others.
enum class OddReferences { leave_out, keep };
enum class UseOfDarks { all, none };  // none: the dark signal is assumed to be 0

// Layout of frames in files without a header.
struct RawLayout {
  std::string size = {};        // COLUMNSxROWS or COLUMNSxROWSxFRAMES, for each file; empty: the files have headers
  std::string type = "uint16";  // or "float32", ...
  int64_t offset = 0;           // of the first pixel [bytes]
  ByteOrder order = ByteOrder::little;
};

// Lengths in mm, angles in rad, energies in keV. At most one of angles_dataset, angles_file and angle_step is given.
// `data` is a dataset [frame, row, col] of a file of no known layout, read by the format hdf5, or a group: which of
// the scans of an NXtomo or BLISS file is meant. image_key has one number per frame of the dataset (0 projection, 1
// flat, 2 dark, 3 invalid). flats and darks replace those of any format (references.h): in another file, or in a
// dataset of the scan's, which excludes image_key.
struct ScanChoices {
  std::string data = {}, image_key = {}, flats = {}, darks = {};  // HDF5 paths
  std::filesystem::path flats_file = {}, darks_file = {};         // files or folders; empty: in the scan's file
  std::string angles_dataset = {};                                // HDF5 path of one angle per view or per frame
  std::filesystem::path angles_file = {};                         // text file in the format of read_angles_file()
  std::optional<double> first_angle = {}, angle_step = {};        // first_angle requires angle_step
  AngleUnit angle_unit = AngleUnit::as_the_file_says;
  OddReferences odd_references = OddReferences::leave_out;
  UseOfDarks use_darks = UseOfDarks::all;
  ScanPixels pixels = ScanPixels::as_the_file_says;
  std::optional<Beam> beam = {};
  std::optional<double> source_to_axis = {}, axis_to_detector = {}, energy = {};
  FrameOrder order = FrameOrder::as_the_file_says;
  RawLayout raw = {};
  OutsideLinks outside_links = OutsideLinks::refuse;

  [[nodiscard]] std::optional<PixelKind> kind() const;  // kind of the pixel values; nothing: as the file states
  // The value of a stored 1 in the unit of that kind.
  [[nodiscard]] double pixel_unit() const { return pixels == ScanPixels::percent ? 0.01 : 1; }
  [[nodiscard]] bool names_flats() const { return !flats.empty() || !flats_file.empty(); }
  [[nodiscard]] bool names_darks() const { return !darks.empty() || !darks_file.empty(); }
  [[nodiscard]] bool names_references() const { return names_flats() || names_darks(); }
  [[nodiscard]] bool gives_angles() const { return !angles_dataset.empty() || gives_angles_outside_the_file(); }
  [[nodiscard]] bool gives_angles_outside_the_file() const { return !angles_file.empty() || angle_step.has_value(); }
};

// Columns, rows and frames of RawLayout::size; without frames: as many as a file contains. Nothing for other texts.
struct RawSize {
  int64_t cols = 0, rows = 0;
  std::optional<int64_t> frames;
};
std::optional<RawSize> raw_size_of(const std::string& text);
// The size of a frame without the number of frames: "96x3" of "96x3x180".
std::string size_of_frame(const std::string& raw_size);

// Invalid, naming the parameter of the load node, if choices contradict each other.
Result<void> check(const ScanChoices& choices);

// Sets beam, distances, energy and pixel kind; the numbers are marked as the user's.
void apply_beam(const ScanChoices& choices, ScanInfo& info);
// Applies choices including angles from outside the scan's file: their number must equal that of the views.
Result<void> apply(const ScanChoices& choices, ScanInfo& info);

}  // namespace tl::io
