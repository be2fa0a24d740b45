// ComputedWindow and the table of windows: what a run over the record of a stream needs to compute the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/output/output_rules.h"

namespace tl {

// A window of a stream that was computed, or shown.
struct ComputedWindow {
  int64_t index = 0;           // of the scan
  int64_t scan = 0;            // Frame::scan of its views
  std::vector<int64_t> views;  // numbers of the frames
  // "axis.given_axis" -> "-3.2 px": what nodes have measured and what was learned, as parameters of the pipeline.
  std::map<std::string, std::string> settings;
  std::map<std::string, std::string> found;  // for readers: "axis.axis [px]" -> "-3.2"; also "... sigma", "... verdict"
  bool measured = false;                     // nodes have measured what holds for the windows that follow, too
  int64_t lost = 0;
  double time = 0;  // when its last frame arrived [s since 1970]
  // After that: when its outputs were given, and when what the output nodes write was there [s].
  double prepared = 0, shown = 0;
};

// The table NAME.windows.csv of a record NAME.nx: the scan, and for each window the parameters with which a run over
// this table computes the same: those of the load node, and ComputedWindow::settings. Columns with # before their names
// are for readers: time and angle of the last view, lost views, ComputedWindow::found, and the mean of each number
// that was recorded next to the scan, over the time of the window. Windows with frames that the record does not hold
// are left out. Errors: io; invalid (the table may not be replaced).
Result<std::filesystem::path> write_window_table(const std::filesystem::path& record, const std::string& load_node,
                                                 const std::vector<ComputedWindow>& windows,
                                                 const io::OutputRules& rules);

}  // namespace tl
