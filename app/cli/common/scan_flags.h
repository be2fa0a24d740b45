// ScanFlags: options that override the metadata in a scan's file; they become settings of the load node.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/cli/common/cli.h"

namespace tl::cli {

struct ScanFlags {
  std::map<std::string, std::string> values;  // by parameter of the load node; empty: the option was not given
  std::string flats, darks, angles;
  bool sinograms = false, outside_links = false;
};

void add_scan_flags(CLI::App& app, Cli& cli, ScanFlags& flags);

// The flags as parameters of the load node: "angle_step=0.5 deg". Errors: invalid, naming the flag.
Result<std::vector<std::string>> load_settings(const ScanFlags& flags);

}  // namespace tl::cli
