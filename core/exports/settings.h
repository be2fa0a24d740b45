// Settings: the user's choices for an export, and how they are stored with the pipeline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/grid_box.h"

namespace tl::exports {

// How the lower and upper value of the grey range are chosen: from the grey window of the views, percentiles, minimum
// and maximum, or numbers from the user.
enum class RangeMode { window, percentiles, full, fixed };

struct Settings {
  std::string format;  // Format::id
  std::string file;    // file to write; its folder is not saved
  std::string type;    // number type, one of Format::sample_types
  RangeMode range = RangeMode::percentiles;
  double percent_below = 0.1, percent_above = 99.9;  // percentiles
  double low = 0, high = 1;    // in the stored unit of the values; used after reading only with RangeMode::fixed
  std::optional<GridBox> box;  // box of voxels to keep, before binning; none: all
  int64_t bin = 1;             // number of voxels along each axis that are binned into one
  bool labels = false, parameters = false, mesh = false;  // alongside
};

// The text `ui` of a pipeline with these settings added; its other members stay.
std::string with_settings(const std::string& ui, const Settings& settings);
// The settings in `ui`. Files are untrusted: unknown members are ignored, values out of range are left at the default.
Settings read_settings(const std::string& ui);

}  // namespace tl::exports
