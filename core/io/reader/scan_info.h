// ScanInfo: the metadata of a scan, every number with its origin. No pixels and no array type, so that forms and trees
// can show it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/values/infos.h"

namespace tl::io {

// What was guessed, if the origin is a guess: the value, or the unit of a number in the file.
enum class Guess : uint32_t { value, unit };

// A value with its origin and the item from which it was read.
template <class T>
struct Found {
  T value{};
  Origin origin = Origin::guessed;
  std::string source;  // "/exchange/theta", "default: 0 to 180 degrees"
  Guess guess = Guess::value;
  // Whether the file states the number, and its unit was assumed as the format prescribes.
  [[nodiscard]] bool is_unit_guessed() const { return origin == Origin::guessed && guess == Guess::unit; }
};

// Whether pixels may be read from files outside the scan's folder, to which links in a file would otherwise lead
// unnoticed.
enum class OutsideLinks : uint32_t { refuse, follow };

// A probable error in a scan's metadata, detected from its numbers.
enum class DoubtAbout : uint32_t { angles, pixels, references };
struct Doubt {
  DoubtAbout about = DoubtAbout::references;
  std::string evidence;  // the finding, without a full stop
  std::string advice;    // what the user can do, in whole sentences
  [[nodiscard]] std::string text() const { return evidence + ". " + advice; }
};

// Positions of source, axis and detector that the file states in addition to the distances: part of the scan's
// geometry, with the meanings of Orbit (core/base/geometry.h). Absent values are 0.
struct StatedOffsets {
  std::optional<Found<double>> axis;                            // [px from the detector's centre, along +u]
  std::optional<Found<double>> tilt;                            // [rad], the axis' top leans towards +u
  std::optional<Found<double>> source_shift_u, source_shift_v;  // [mm], cone only
  [[nodiscard]] bool any() const { return axis || tilt || source_shift_u || source_shift_v; }
};

// Lengths in mm, angles in rad, energy in keV.
struct ScanInfo {
  std::filesystem::path path;
  std::string format;      // id of the format that read it: "nxtomo", "zeiss_txrm", ...
  std::string pixel_type;  // "uint16", "float32", ...
  int64_t views = 0, rows = 0, cols = 0;
  int64_t flats = 0, darks = 0;
  // In view indices: a half lies between two views; a smaller (larger) fraction means the view before (after) it, such
  // as the last (first) view of a part of the scan.
  std::vector<double> flat_positions;
  // Gantry angles in Tomoloom's sense of rotation, one per view. A stage that rotates by +phi gives t = -phi: readers
  // convert it and add a note.
  Found<std::vector<double>> angles;
  // Shifts of the image in each view along +u and +v [px], as in Orbit; none if the file states none.
  std::optional<Found<std::vector<double>>> shift_u, shift_v;
  // Positions of source and detector in every view, if they are not on a circle: twelve numbers per view as in
  // ScanGeometry::vectors(). Angles, distances and pixel sizes then describe it approximately.
  std::optional<Found<std::vector<double>>> vectors;
  Found<double> pixel_size_u, pixel_size_v;                       // on the detector [mm]
  std::optional<Found<double>> source_to_axis, axis_to_detector;  // [mm]
  std::optional<Found<double>> energy;                            // [keV]
  std::optional<Found<double>> axis_hint;  // rotation axis stated by the file [px from the centre]: never used silently
  StatedOffsets offsets;
  bool half_acquisition = false;  // according to the file, the axis is near the edge of the detector
  Beam beam = Beam::parallel;
  PixelKind kind = PixelKind::counts;
  std::vector<std::string> notes;  // decisions and oddities, in sentences
  // Notes that runs report as warnings: about files and code from outside the scan's folder, and missing views.
  std::vector<std::string> outside;
  // Probable errors in the metadata, found by the node input.load_scan and also reported by runs; empty for a scan that
  // was only opened.
  std::vector<Doubt> doubts;

  // False if the pixel size is unknown and assumed as 1 mm: lengths are then in pixels.
  [[nodiscard]] bool has_pixel_size() const {
    const auto is_guess = [](const Found<double>& size) {
      return size.origin == Origin::guessed && size.guess == Guess::value;
    };
    return !is_guess(pixel_size_u) || !is_guess(pixel_size_v);
  }
};

// Opens and closes the scan at `path` like open_scan(). Reads no pixels, but may block as long as the disk does: not
// for a GUI thread.
Result<ScanInfo> read_scan_info(const std::filesystem::path& path);

// Whether opening failed because the layout of the file is unknown, so that naming its datasets may help.
bool is_of_no_known_layout(const Error& error);

// File extensions of all formats (".nxs", ".h5", ...), without duplicates, for file dialogs.
std::vector<std::string> scan_extensions();

}  // namespace tl::io
