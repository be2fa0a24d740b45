// A scan on disk: what it says about itself, and lazy access to its pixels.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"
#include "core/values.h"

namespace tl::io {

// A number found in, or missing from, a scan, with its origin and the place it was read from.
template <class T>
struct Found {
  T value{};
  Origin origin = Origin::guessed;
  std::string source;  // "/exchange/theta", "default: 0 to 180 degrees"
};

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
  Beam beam = Beam::parallel;
  PixelKind kind = PixelKind::counts;
  std::vector<std::string> notes;  // decisions and oddities, in sentences
};

// An open scan. Reading is lazy: only the asked region is touched. Not thread-safe: one thread at a time.
class ScanReader {
 public:
  virtual ~ScanReader() = default;
  [[nodiscard]] virtual const ScanInfo& info() const = 0;
  // Pixels of the views [view, row, col], of all flats or of all darks [n, row, col] on the given rows and columns, as
  // float32 (integers up to 24 bits are exact). Errors: io with file and dataset.
  virtual Result<at::Tensor> read(const ScanRegion& region) = 0;
  virtual Result<at::Tensor> read_flats(Range rows, Range cols) = 0;
  virtual Result<at::Tensor> read_darks(Range rows, Range cols) = 0;
  // Files whose contents the pixels depend on (the scan, linked files, TIFF frames).
  [[nodiscard]] virtual std::vector<std::filesystem::path> files() const = 0;
};

}  // namespace tl::io
