// Lists the scans that one pipeline is to run over: files, folders of scans, and tables with parameters for each scan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl {

// One scan, and what differs for it.
struct ScanTask {
  std::string name;                   // of its folder of results: differs between tasks, without slashes
  std::filesystem::path scan;         // absolute
  std::vector<std::string> settings;  // "node.param=value", as for apply_settings()
};

// Whether a name looks like a scan that some format reads: a file with its ending, or a folder with TIFF or EDF
// frames or an .xtekct file. Nothing is opened; hidden names do not count.
bool looks_like_scan(const std::filesystem::path& path);

// The scans in the order given. Each input is a scan; a folder that is not a scan, for all that look like scans in it
// (natural order); or a table NAME.csv: the first row names the columns, `scan` and parameters ("fbp.cutoff"), every
// other row is a task; an empty cell leaves its parameter as the pipeline has it, and
// columns whose names begin with # are passed over; relative paths count from the table's
// folder. Tasks are named after their scans; equal names get -2, -3. Errors: io for what is missing, invalid for a
// folder without scans and for a malformed table, with its line.
Result<std::vector<ScanTask>> scan_list(const std::vector<std::filesystem::path>& inputs);

}  // namespace tl
