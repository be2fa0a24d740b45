// Engine: computes a graph interactively on one compute thread: pictures of the regions on screen, states of the nodes,
// runs with progress, learning. No array type and no Qt in this header.
//
// Priority: the newest graph's check, first (coarse) pictures, small values, sharp pictures, learning, runs, then
// forecast and thumbnails. During a run, pictures are computed whenever a node ends a block; during learning, between
// iterations. Requests do not queue up: a newer graph, or a newer request of the same view, replaces the older one and
// cancels its computation if the result is no longer needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/events.h"
#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"
#include "core/learn/learning.h"
#include "core/learn/node_check.h"
#include "core/picture/image.h"
#include "core/values/infos.h"

namespace tl::live {

// unconfigured: the node itself has an error; waiting: an upstream node has one.
enum class State {
  unconfigured,
  waiting,
  ready,
  stale,
  queued,
  running,
  current,
  partial,
  failed,
  cancelled,
  bypassed
};
std::string_view to_string(State state);

// What canvas, outline and inspector show of a node.
struct NodeStatus {
  State state = State::ready;
  double fraction = 0;                       // progress of the running work, 0 to 1; below 0 = not known
  double seconds_left = -1;                  // below 0 = not known
  double seconds = -1;                       // of the last computation
  std::string summary;                       // "181 x 2 x 640 · absorption"
  std::optional<Error> error;                // failed, unconfigured
  std::map<std::string, std::string> found;  // measured values as text: "axis" -> "-23.67 ± 0.01 px"
  Verdict verdict = Verdict::none;
};

using picture::Image;

// What a view shows: a region of an output.
//
// Volumes and labels: any grid, also an oblique one. An axis that is one voxel thick (z before y before x) is dropped:
//   nz = 1  rows are y, row 0 = largest j; columns are x, column 0 = smallest i (XY, and any VolumeGrid::plane)
//   ny = 1  rows are z, row 0 = largest k; columns are x                        (XZ)
//   nx = 1  rows are z, row 0 = largest k; columns are y, column 0 = smallest j (YZ)
// where i, j, k count along step_x, step_y, step_z. A box thicker than one voxel along all axes gives nz slices, k = 0
// first, each with rows as in XY; it is binned to fit the memory.
// Projections: one view gives the detector as in the file (row 0 = top row of the detector, column 0 = first); one row
// of several views gives a sinogram (row 0 = first view); a box gives a slice per view. Flats and darks: rows and
// columns of the region; its views are ignored.
// WholeRegion: the middle slice or the middle view.
struct PictureRequest {
  std::string node, port;
  Region region = WholeRegion{};
  enum class Series { data, flats, darks } series = Series::data;
  int64_t frame = -1;  // of flats or darks; below 0 = their mean
  // Volumes: a picture of the same extent with this many times fewer points per axis may be shown first; 1 = only the
  // sharp picture. No coarse picture is sent if the sharp one is cached.
  int64_t coarse = 4;
  uint64_t ticket = 0;  // returned in the picture
  friend bool operator==(const PictureRequest&, const PictureRequest&) = default;
};

struct Picture {
  PictureRequest request;
  std::shared_ptr<const Image> image;  // the slices of a box are stacked in rows: rows = slices * rows of one
  int64_t slices = 1;
  // The region computed: the request's region, with fewer points if coarse or binned; for WholeRegion the middle slice
  // or view.
  Region region = WholeRegion{};
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
  std::optional<Error> error;  // set, with kind cancelled, also when the work was cancelled
  std::vector<std::filesystem::path> files;
  // If not empty, nothing was computed, because these outputs exist and may not be replaced.
  std::vector<std::filesystem::path> existing;
  double seconds = 0;
};
// Estimated time and memory of the whole run.
struct Forecast {
  bool known = false;
  double seconds = -1;           // below 0 = some node type has not run in this process yet
  int64_t peak = 0, budget = 0;  // bytes
  bool fits = true;
  std::string why_not;
};

// A small output (scalar, table, spectrum) as plain numbers in its display unit.
struct PlainColumn {
  std::string name, unit;
  std::vector<double> values;
};
struct PlainValue {
  std::string node, port;
  std::vector<PlainColumn> columns;  // of equal length; a scalar is one column with one number
  double uncertainty = 0;            // of a scalar, one sigma; 0 = not known
  Verdict verdict = Verdict::none;
  bool known = false;  // false: not cached for these settings (and not to be computed), or an error
  std::optional<Error> error;
};
// Whether a value may be computed, or only returned if it is cached.
enum class Effort { cached_only, compute };
// Whether a run may replace existing files.
enum class Existing { refuse, replace };

struct CacheUse {
  int64_t used = 0, budget = 0;  // bytes
  // Includes results of older settings. Nodes without cached results are absent.
  std::map<std::string, int64_t> by_node;
  std::set<std::string> pinned;
  friend bool operator==(const CacheUse&, const CacheUse&) = default;
};

// The end of learning. If the user finished it early, `learned` holds the best values so far.
struct LearnEnd {
  std::optional<Error> error;  // set, with kind cancelled, also when the work was cancelled
  learn::Settings settings;
  learn::Learned learned;
};
struct LandscapeEnd {
  std::optional<Error> error;
  learn::LandscapeRequest request;
  learn::Landscape landscape;
};
struct NodeCheckEnd {
  std::optional<Error> error;
  learn::NodeCheck check;  // node: the one that was checked
};
struct GradientCheckEnd {
  std::optional<Error> error;
  learn::Settings settings;
  learn::GradientCheck check;
};

using MessageLevel = LogLevel;

// All functions are called on the compute thread; implementations pass the data to their own thread.
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
  virtual void value(const PlainValue& /*value*/) {}
  virtual void cache(const CacheUse& /*use*/) {}
  // After every iteration of learning; standing pictures with the same parameters follow before the next iteration.
  virtual void learning(const learn::Progress& /*progress*/) {}
  // Learning is paused after the current step; no further events until it continues.
  virtual void learning_paused() {}
  virtual void learned(const LearnEnd& /*end*/) {}
  virtual void landscape(const LandscapeEnd& /*end*/) {}
  virtual void gradients_checked(const GradientCheckEnd& /*end*/) {}
  virtual void node_checked(const NodeCheckEnd& /*end*/) {}
  // A named number for plots (residual, loss) at step `index`.
  virtual void metric(const std::string& /*node*/, const std::string& /*name*/, int64_t /*index*/, double /*value*/) {}
  virtual void message(LogLevel /*level*/, const std::string& /*node*/, const std::string& /*text*/) {}
};

struct EngineOptions {
  std::string device = "cpu";
  int64_t memory = 0;  // bytes; 0 = 80 % of what is available
  std::filesystem::path input_dir, output_dir;
  bool thumbnails = true;
};

// "181 x 2 x 640 · absorption", "512 x 512 x 64 voxels · 0.1 mm"; empty for small values.
std::string summary_of(const Info& info);

// The device for display: "CPU · 2 cores · AVX-512".
std::string device_text(const std::string& device);

// Grey values of a small picture: 0.5 % of the pixels are clipped at each end; non-finite pixels are 0.
std::vector<uint8_t> grey_values(const Image& image);

// Every call returns at once and may come from any thread.
class Engine {
 public:
  Engine(const Registry& registry, EngineOptions options, Listener& listener);
  ~Engine();  // cancels all work and joins the compute thread
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void set_graph(const Graph& graph);  // checks the graph, reports infos and states, marks results that became stale
  // A request stands until another one of the same view replaces it or forget() removes it: whenever its node's result
  // changes, because the graph or the input changed, the picture is sent again with the same ticket. Every request and
  // every such change is answered at least once, if only by an error, unless a newer one supersedes it.
  void request(const std::string& view, const PictureRequest& request);
  void forget(const std::string& view);
  // Answered by Listener::value: a small output as plain numbers; for projections their learn::ScanTraits, from some
  // rows of all views and only with Effort::compute. A newer question about the same port replaces one that waits.
  void ask(const std::string& node, const std::string& port, Effort effort);
  // Runs output nodes block by block; empty: all of them. If their files exist and may not be replaced, the run is
  // refused before anything is computed (invalid, with RunEnd::existing). Files that the graph reads are never
  // replaced, nor are `inputs` (the file that the pipeline came from). Ends in Listener::finished.
  void run(const std::vector<std::string>& outputs, Existing existing = Existing::refuse,
           const io::ProtectedFiles& inputs = {});
  // Computes the outputs of nodes into the cache: all of each, or the middle slice or view if that would not fit.
  // Output nodes among them write their files, as run() does.
  void compute(const std::vector<std::string>& nodes);
  // Finds parameters of the newest graph. Meanwhile, standing pictures show the current parameter values, and
  // afterwards the found ones, until the graph changes or another learning starts; runs use the graph as set. It
  // changes nothing in the graph (learn::accept() does). Ends in Listener::learned. Learning, landscapes and runs wait
  // for each other.
  void learn(const learn::Settings& settings);
  // Tells the current learning to pause, to continue, or to finish with the best values so far.
  void command(learn::LearnCommand command);
  // Answered by Listener::landscape and Listener::gradients_checked. Gradients are checked in float64 with a cache of
  // their own.
  void landscape(const learn::LandscapeRequest& request);
  void check_gradients(const learn::Settings& settings);
  // Answered by Listener::node_checked: dot test and gradients of one node on a small input of the same kind as its
  // own.
  void check_node(const std::string& node);
  // Whether thumbnails of nodes are made; missing ones are computed when the engine is idle.
  void show_thumbnails(bool wanted);
  void stop();        // cancels running jobs and drops waiting ones; standing requests stay
  void free_cache();  // does not touch written files
  // Frees the cached results of one node. Those of pinned nodes are not evicted until they are freed or unpinned.
  void free_cache(const std::string& node);
  void pin(const std::string& node);
  void unpin(const std::string& node);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tl::live
