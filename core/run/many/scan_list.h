// Lists the scans that one pipeline is to run over: files, folders of scans, and tables with parameters for each scan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/many/scan_row.h"

namespace tl {

// One scan, and what differs for it.
struct ScanTask {
  std::string name;                   // of its folder of results: differs between tasks, without slashes
  std::filesystem::path scan;         // absolute
  std::vector<std::string> settings;  // "node.param=value", as for apply_settings()
  std::string pipeline = {};          // a file (absolute) or a bundled pipeline; empty: that of the run
  // The folder of results of the scan before, which stands for "{before}" in settings; empty: the first of a series,
  // for which settings with "{before}" are left out.
  std::filesystem::path before = {};
};

// What a row asks for. Relative paths count from the table's folder; a pipeline that is not a file there is the name of
// a bundled one.
ScanTask task_of(const ScanRow& row, const std::filesystem::path& folder);

// Whether a name looks like a scan that some format reads: a file with its ending, or a folder with TIFF or EDF
// frames or an .xtekct file. Nothing is opened; hidden names do not count.
bool looks_like_scan(const std::filesystem::path& path);

// The scans in the order given. Each input is a scan; a folder that is not a scan, for all that look like scans in it
// (natural order); or a table NAME.csv as for requested_rows(). Tasks are named after their scans where the table does
// not name them; equal names get -2, -3. Errors: io for what is missing, invalid for a folder without scans and for a
// malformed table, with its line.
Result<std::vector<ScanTask>> scan_list(const std::vector<std::filesystem::path>& inputs);

}  // namespace tl
