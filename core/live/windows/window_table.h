// ComputedWindow and the table of windows: the settings with which a run over the record of a stream computes the same
// results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/output/output_rules.h"

namespace tl {

// A window of a stream that was computed or shown.
struct ComputedWindow {
  int64_t index = 0;           // of the scan
  int64_t scan = 0;            // Frame::scan of its views
  std::vector<int64_t> views;  // numbers of the frames
  // "axis.given_axis" -> "-3.2 px": measured and learned values, as parameters of the pipeline.
  std::map<std::string, std::string> settings;
  std::map<std::string, std::string> found;  // text: "axis.axis [px]" -> "-3.2"; also "... sigma", "... verdict"
  bool measured = false;                     // nodes have measured values that are used for the following windows, too
  int64_t lost = 0;
  double time = 0;  // arrival of its last frame [s since 1970]
  // Time after that arrival until its data were given to the executor, and until the outputs were computed [s].
  double prepared = 0, shown = 0;
};

// The table NAME.windows.csv of a record NAME.nx: the scan, and for each window the parameters with which a run over
// this table computes the same: those of the load node, and ComputedWindow::settings. Columns with # before their names
// are for people: time and angle of the last view, lost views, ComputedWindow::found, and the mean over the window of
// each number recorded with the scan. Windows with frames missing in the record are left out. Errors: io; invalid (the
// table may not be replaced).
Result<std::filesystem::path> write_window_table(const std::filesystem::path& record, const std::string& load_node,
                                                 const std::vector<ComputedWindow>& windows,
                                                 const io::OutputRules& rules);

}  // namespace tl
