// Engine: runs a graph for somebody who looks at it: one compute thread, pictures of the regions that are on screen,
// states of the nodes, runs with progress. No array type and no Qt in this header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/events.h"
#include "core/graph/graph.h"
#include "core/infos.h"

namespace tl::live {

enum class State { unconfigured, ready, stale, queued, running, current, partial, failed, cancelled, bypassed };
std::string_view to_string(State state);

// What the canvas, the outline and the inspector show of a node.
struct NodeStatus {
  State state = State::ready;
  double fraction = 0;                       // of the running part, 0 to 1; below 0 = not known
  double seconds_left = -1;                  // below 0 = not known
  double seconds = -1;                       // of the last computation
  std::string summary;                       // "181 x 2 x 640 · absorption"
  std::optional<Error> error;                // failed, unconfigured
  std::map<std::string, std::string> found;  // measured values as text: "axis" -> "-23.67 ± 0.01 px"
  Verdict verdict = Verdict::none;
};

// Rows of a picture, top row first, as float32; never changed once made.
struct Image {
  int64_t rows = 0, cols = 0;
  std::vector<float> pixels;
};

// What a view wants to see: a region of an output, for a volume a grid one voxel thick (an oblique plane included) or a
// box (for the 3D view); for projections a ScanRegion of one view, one row (a sinogram), or references.
struct PictureRequest {
  std::string node, port;
  Region region = WholeRegion{};
  enum class Series { data, flats, darks } series = Series::data;
  // Coarsest binning that may be shown first; 1 = only the sharp picture.
  int64_t coarse = 4;
  uint64_t ticket = 0;  // handed back in the picture
};

struct Picture {
  PictureRequest request;
  std::shared_ptr<const Image> image;  // slices of boxes follow each other in rows: rows = slices * rows of one
  int64_t slices = 1;
  std::string unit;  // "1/mm", "" = plain numbers
  enum class Source { computed, cached } source = Source::computed;
  int64_t level = 1;  // binning: 1 = sharp
  bool final = true;  // false: a sharper one follows
  double seconds = 0;
  std::optional<Error> error;  // image is null
};

struct RunState {
  bool running = false;
  double fraction = 0;
  double seconds = 0, seconds_left = -1;
  std::string doing;  // "Reconstructing FBP"
};
struct RunEnd {
  std::optional<Error> error;  // cancelled among them
  std::vector<std::filesystem::path> files;
  double seconds = 0;
};
// Time and memory of the whole run, before it starts.
struct Forecast {
  bool known = false;
  double seconds = -1;           // below 0 = never measured on this machine
  int64_t peak = 0, budget = 0;  // bytes
  bool fits = true;
  std::string why_not;
};

using MessageLevel = LogLevel;

// All of it is called on the compute thread; implementations hand things over to theirs.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void status(const std::string& /*node*/, const NodeStatus& /*status*/) {}
  virtual void infos(const std::map<std::string, std::map<std::string, Info>>& /*by_node*/) {}
  virtual void picture(const std::string& /*view*/, const Picture& /*picture*/) {}
  virtual void thumbnail(const std::string& /*node*/, const std::shared_ptr<const Image>& /*image*/) {}
  virtual void run(const RunState& /*state*/) {}
  virtual void finished(const RunEnd& /*end*/) {}
  virtual void forecast(const Forecast& /*forecast*/) {}
  virtual void message(LogLevel /*level*/, const std::string& /*node*/, const std::string& /*text*/) {}
};

struct EngineOptions {
  std::string device = "cpu";
  int64_t memory = 0;  // bytes; 0 = 80 % of what is available
  std::filesystem::path input_dir, output_dir;
  bool thumbnails = true;
};

// Every call returns at once and may come from any thread.
class Engine {
 public:
  Engine(const Registry& registry, EngineOptions options, Listener& listener);
  ~Engine();  // cancels, joins
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void set_graph(const Graph& graph);  // checks it, reports infos and states, marks what became stale
  void request(const std::string& view, const PictureRequest& request);
  void forget(const std::string& view);
  void run(const std::vector<std::string>& outputs);    // empty: every output node
  void compute(const std::vector<std::string>& nodes);  // their outputs, kept in the cache
  void stop();
  void free_cache();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tl::live
