// Lists the scans over which one pipeline is to run: files, folders of scans, and tables with parameters for each scan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/many/scan_row.h"

namespace tl {

// One scan, and its individual settings.
struct ScanTask {
  std::string name;                   // name of its results folder: unique among tasks, without slashes
  std::filesystem::path scan;         // absolute
  std::vector<std::string> settings;  // "node.param=value", as for apply_settings()
  std::string pipeline = {};          // a file (absolute) or a bundled pipeline; empty: the pipeline of the run
  // The results folder of the previous scan, which replaces "{before}" in settings; empty: the first of a series, for
  // which settings with "{before}" are left out.
  std::filesystem::path before = {};
};

// The task that a row describes. Relative paths are relative to the table's folder; a pipeline that is not a file there
// is the name of a bundled one.
ScanTask task_of(const ScanRow& row, const std::filesystem::path& folder);

// Whether a path looks like a scan that can be read: a file with an ending of a scan format, or a folder with TIFF or
// EDF frames or the text of a scanner. Opens nothing; hidden names are excluded.
bool looks_like_scan(const std::filesystem::path& path);

// The scans in the given order. Each input is a scan; a folder that is not a scan, for everything that looks like a
// scan in it (natural order); or a table NAME.csv as for requested_rows(). Tasks are named after their scans unless the
// table names them; equal names get -2, -3. Errors: io for missing inputs, invalid for a folder without scans and for a
// malformed table, with its line.
Result<std::vector<ScanTask>> scan_list(const std::vector<std::filesystem::path>& inputs);

}  // namespace tl
