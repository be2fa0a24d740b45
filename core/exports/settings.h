// Settings: what the user has chosen for an export, and how it is kept with the pipeline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/grid_box.h"

namespace tl::exports {

// Where the values come from that become the ends of the integers, or black and white: the grey window of the views,
// percentiles, the smallest and the largest value, or numbers that the user gave.
enum class RangeMode { window, percentiles, full, fixed };

struct Settings {
  std::string format;  // Format::id
  std::string file;    // to write; kept without its folder
  std::string type;    // of numbers, one of Format::sample_types
  RangeMode range = RangeMode::percentiles;
  double percent_below = 0.1, percent_above = 99.9;  // percentiles
  double low = 0, high = 1;    // in the stored unit of the values; used only with RangeMode::fixed when it is read back
  std::optional<GridBox> box;  // voxels that are kept, before binning; none: all
  int64_t bin = 1;             // voxels along each axis that become one
  bool labels = false, parameters = false, mesh = false;  // alongside
};

// The text `ui` of a pipeline with these settings; everything else in it stays.
std::string with_settings(const std::string& ui, const Settings& settings);
// Those that `ui` has. Files are untrusted: what is not known or not in its range is left at its default.
Settings read_settings(const std::string& ui);

}  // namespace tl::exports
