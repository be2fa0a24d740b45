// The automatic pipeline: builds a complete graph from a scan's metadata and gives the reason for every choice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/io/reader/scan_info.h"
#include "core/run/hints/hint.h"

namespace tl {

struct AutomaticRequest {
  std::filesystem::path output;        // .tif, .tiff: one file; no extension: a folder of slices
  std::filesystem::path picture;       // PNG of the middle slice; empty = none
  std::optional<double> axis = {};     // rotation axis [px from the detector centre]; otherwise it is measured
  std::vector<std::string> load = {};  // settings of the node "load" with which `scan` was read
  std::string axis_method = {};        // "moments" for the node axis.moments; empty = chosen from the scan
  std::vector<Hint> hints = {};        // hints about the scan, see scan_hints(): followed if that is certain to help
};

struct AutomaticPipeline {
  Graph graph;                       // the node "load" reads scan.path
  std::vector<std::string> reasons;  // "FBP, because the beam is parallel"
  std::vector<std::string> doubts;   // possible causes of a wrong result, and what to do
};

// The scan's metadata after the settings of the load node ("angle_step=0.5") are applied. Errors: those of the settings
// and of opening the scan.
Result<io::ScanInfo> scan_with_settings(const std::filesystem::path& scan, const std::vector<std::string>& settings,
                                        const CancelToken& cancel = {});

// A hint, and the node that was added because of it.
struct FollowedHint {
  Hint hint;
  std::string node;
};
// Adds nodes for hints that automatic_pipeline() would have followed if it had known them, except hints that the graph
// already follows. For pipelines that are displayed before any pixel is read.
std::vector<FollowedHint> follow_hints(Graph& graph, const Registry& registry, const std::vector<Hint>& hints);

// Errors: invalid when the scan cannot be reconstructed or the output's format is unknown.
Result<AutomaticPipeline> automatic_pipeline(const io::ScanInfo& scan, const AutomaticRequest& request);

}  // namespace tl
