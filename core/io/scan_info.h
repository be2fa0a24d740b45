// What a scan says about itself, every number with its origin. No pixels and no array type, so that forms and trees can
// show it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/values/infos.h"

namespace tl::io {

// A number found in, or missing from, a scan, with its origin and the place it was read from.
template <class T>
struct Found {
  T value{};
  Origin origin = Origin::guessed;
  std::string source;  // "/exchange/theta", "default: 0 to 180 degrees"
};

// Whether a scan may have its pixels in files outside its folder: links in a file are followed without being seen.
enum class OutsideLinks : uint32_t { refuse, follow };

// Everything a scan says about itself. Lengths in mm, angles in rad, energy in keV.
struct ScanInfo {
  std::filesystem::path path;
  std::string format;      // id of the format that read it: "nxtomo", "dxchange", "tiff_stack"
  std::string pixel_type;  // "uint16", "float32", ...
  int64_t views = 0, rows = 0, cols = 0;
  int64_t flats = 0, darks = 0;
  std::vector<double> flat_positions;  // in view indices
  // Gantry angles in our sense, one per view (a stage turning by +phi is t = -phi: readers convert and say so).
  Found<std::vector<double>> angles;
  Found<double> pixel_size_u, pixel_size_v;                       // on the detector [mm]
  std::optional<Found<double>> source_to_axis, axis_to_detector;  // [mm]
  std::optional<Found<double>> energy;                            // [keV]
  std::optional<Found<double>> axis_hint;  // what the file claims as axis, in px from the centre: never used silently
  bool half_acquisition = false;           // the file says that the axis lies near the edge of the detector
  Beam beam = Beam::parallel;
  PixelKind kind = PixelKind::counts;
  std::vector<std::string> notes;  // decisions and oddities, in sentences
  // Those of the notes that name files and code from beyond the scan's folder: runs tell them.
  std::vector<std::string> outside;
};

// Opens the scan at `path`, as open_scan() does, and closes it again. Reads no pixels; may take as long as the disk
// does: not for the thread of a window.
Result<ScanInfo> read_scan_info(const std::filesystem::path& path);

// The ends of names that scans have (".nxs", ".h5", ...), without doubles: for file dialogs.
std::vector<std::string> scan_extensions();

}  // namespace tl::io
