// Sweep: runs a pipeline at every point of a grid over one or two parameters; writes a table and a montage of images.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"

namespace tl {
class Executor;
}

namespace tl::learn {

// A parameter and its values.
struct SweepAxis {
  std::string node, param;
  std::vector<ParamValue> values;
};

// "fbp.cutoff=0.2:1:9" (first, last, count), "fbp.filter=hann,ram_lak" (a list), with units: "geometry.axis=-3:3:13
// px". Every value is checked against the declaration. At most 4096 values.
Result<SweepAxis> parse_sweep_axis(const Graph& graph, const Registry& registry, const std::string& text);

// A port of a node, "objective.loss"; the node's name suffices if it has only one such output: a scalar, or a volume.
using SweepPort = std::pair<std::string, std::string>;
Result<SweepPort> parse_sweep_score(const Graph& graph, const Registry& registry, const std::string& text);
Result<SweepPort> parse_sweep_picture(const Graph& graph, const Registry& registry, const std::string& text);

struct SweepRequest {
  std::vector<SweepAxis> axes;       // one or two
  std::optional<SweepPort> score;    // a scalar output; nothing = the only output named "loss", if there is one
  std::optional<SweepPort> picture;  // a volume output; nothing = the last one of the pipeline, if there is one
  std::optional<int64_t> slice;      // slice of the volume; nothing = the middle one
  int64_t tile = 192;                // longer side of a tile of the montage [px]
  std::filesystem::path output;      // NAME.json, NAME.csv and, with images, NAME.png
  io::OutputRules rules;
};

struct SweepPoint {
  std::vector<std::string> values;  // in the notation of a pipeline file, one per axis
  std::optional<double> score;
  std::string error;  // the reason if this point could not be computed
};

struct SweepReport {
  SweepPort score, picture;         // outputs that were used; empty names if there are none
  std::vector<SweepPoint> points;   // the first axis varies fastest
  std::optional<std::size_t> best;  // of the smallest score
  int64_t resumed = 0;              // number of points taken from an earlier, interrupted call
  std::vector<std::filesystem::path> files;
};

// A point that cannot be computed is reported with its error; if no point can, the first error is returned. Finished
// points are stored in the folder NAME.sweep; the same call after an interruption resumes there and gives the same
// files. `progress` is called after every point. Errors: invalid (no parameter, neither score nor image, outputs exist,
// another interrupted sweep in that folder), those of all points, io, cancelled.
Result<SweepReport> run_sweep(Executor& executor, const Graph& graph, const Registry& registry,
                              const SweepRequest& request,
                              const std::function<void(const SweepReport&, std::size_t total)>& progress);

}  // namespace tl::learn
