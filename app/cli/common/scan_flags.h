// ScanFlags: options that override what a scan's file says; they become settings of the load node.
#pragma once

#include <string>
#include <vector>

#include "app/cli/common/cli.h"

namespace tl::cli {

struct ScanFlags {
  std::string format, data, image_key, flats, darks, energy, angles, angle_unit, pixels, beam, source_to_axis,
      axis_to_detector, pixel_size, raw_size, raw_type, raw_offset, raw_byte_order;
  bool sinograms = false, outside_links = false;
};

void add_scan_flags(CLI::App& app, Cli& cli, ScanFlags& flags);

// The flags as parameters of the load node: "angle_step=0.5 deg". Errors: invalid, naming the flag.
Result<std::vector<std::string>> load_settings(const ScanFlags& flags);

}  // namespace tl::cli
