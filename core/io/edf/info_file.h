// The .info file that the ESRF writes next to the frames of a scan: one KEY = VALUE per line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/io/bytes/input_files.h"
#include "core/io/reader/scan_info.h"

namespace tl::io {

// Numbers that the file does not state are 0.
struct EsrfInfo {
  InputFile file;
  int64_t views = 0;                                // TOMO_N: number of views, without those taken after the scan
  int64_t darks = 0;                                // DARK_N
  std::optional<double> range;                      // ScanRange [rad], not 0
  std::optional<Found<double>> pixel_size, energy;  // PixelSize [mm], Energy [keV]
  std::optional<Found<double>> axis_to_detector;    // Distance [mm]
  std::vector<std::string> notes;                   // notes about impossible values, which are left out
};

// The .info file of frames named NAME and a number: NAME.info in their folder, with or without "_" at the end of the
// name, or the only .info file there; nothing if there is none.
std::optional<std::filesystem::path> find_esrf_info(const std::filesystem::path& folder, const std::string& name);

// Reads the file. Errors: io (unreadable); invalid (not such a text).
Result<EsrfInfo> read_esrf_info(const std::filesystem::path& path);

}  // namespace tl::io
