// Engine: runs a graph for somebody who looks at it: one compute thread, pictures of the regions that are on screen,
// states of the nodes, runs with progress. No array type and no Qt in this header.
//
// Order of work: the newest graph's check, pictures (coarse ones first), small values, runs, forecast, thumbnails.
// While a run is under way pictures are computed whenever a node of it ends its block. Nothing queues up: a newer
// graph, and a newer request of the same view, replace older ones, and cancel them where they are computed in vain.
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

// unconfigured: something is wrong with the node itself; waiting: with one before it.
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

using picture::Image;

// What a view wants to see: a region of an output.
//
// Volumes and labels: any grid, turned ones included. An axis that is one voxel thick (z before y before x) is left
// out:
//   nz = 1  rows are y, row 0 = largest j; columns are x, column 0 = smallest i (XY, and any VolumeGrid::plane)
//   ny = 1  rows are z, row 0 = largest k; columns are x                        (XZ)
//   nx = 1  rows are z, row 0 = largest k; columns are y, column 0 = smallest j (YZ)
// where i, j, k count along step_x, step_y, step_z. A box thick in all of them gives nz slices, k = 0 first, each with
// rows as in XY; it is binned to what memory allows.
// Projections: one view gives the detector as the file has it (row 0 = top row of the detector, column 0 = first); one
// row of several views gives a sinogram (row 0 = first view); a box gives a slice per view. Flats and darks: rows and
// columns of the region, its views do not matter.
// WholeRegion: the middle slice or the middle view.
struct PictureRequest {
  std::string node, port;
  Region region = WholeRegion{};
  enum class Series { data, flats, darks } series = Series::data;
  int64_t frame = -1;  // of flats or darks; below 0 = their mean
  // Volumes: a picture of the same extent with so many times fewer points per axis may be shown first; 1 = only the
  // sharp picture. Nothing coarse comes when the sharp one is known already.
  int64_t coarse = 4;
  uint64_t ticket = 0;  // handed back in the picture
  friend bool operator==(const PictureRequest&, const PictureRequest&) = default;
};

struct Picture {
  PictureRequest request;
  std::shared_ptr<const Image> image;  // slices of boxes follow each other in rows: rows = slices * rows of one
  int64_t slices = 1;
  // What was computed: the request's region, with fewer points where it is coarse or binned; the middle slice or view
  // where the request left it open.
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
  std::optional<Error> error;  // cancelled among them
  std::vector<std::filesystem::path> files;
  // Not empty: nothing was computed, because these outputs exist and were not to be replaced.
  std::vector<std::filesystem::path> existing;
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

// A small output (scalar, table, spectrum) as plain numbers in the unit that it is shown in.
struct PlainColumn {
  std::string name, unit;
  std::vector<double> values;
};
struct PlainValue {
  std::string node, port;
  std::vector<PlainColumn> columns;  // of equal length; a scalar is one column with one number
  double uncertainty = 0;            // of a scalar, one sigma; 0 = not known
  Verdict verdict = Verdict::none;
  bool known = false;  // false: never computed under these settings (and it was not to be), or an error
  std::optional<Error> error;
};
// Whether an answer may take work, or only what is known already is wanted.
enum class Effort { only_known, compute };
// Whether a run may replace files that exist.
enum class Existing { refuse, replace };

struct CacheUse {
  int64_t used = 0, budget = 0;  // bytes
  // What was computed under older settings counts, too. Nodes that have nothing are not named.
  std::map<std::string, int64_t> by_node;
  std::set<std::string> pinned;
  friend bool operator==(const CacheUse&, const CacheUse&) = default;
};

// The end of learning. Where it was stopped by hand, `learned` holds the best so far all the same.
struct LearnEnd {
  std::optional<Error> error;  // cancelled among them: stop()
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
  learn::NodeCheck check;  // node: the one that was asked about
};
struct GradientCheckEnd {
  std::optional<Error> error;
  learn::Settings settings;
  learn::GradientCheck check;
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
  virtual void value(const PlainValue& /*value*/) {}
  virtual void cache(const CacheUse& /*use*/) {}
  // After every iteration of learning; the standing pictures of the same parameters follow before the next one.
  virtual void learning(const learn::Progress& /*progress*/) {}
  // The step under way has ended, and learning waits: nothing is told until it goes on.
  virtual void learning_paused() {}
  virtual void learned(const LearnEnd& /*end*/) {}
  virtual void landscape(const LandscapeEnd& /*end*/) {}
  virtual void gradients_checked(const GradientCheckEnd& /*end*/) {}
  virtual void node_checked(const NodeCheckEnd& /*end*/) {}
  // A named number that a plot may follow (residual, loss) at step `index`.
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

// What the work runs on, for people: "CPU · 2 cores · AVX-512".
std::string device_text(const std::string& device);

// Grey values for a small picture: 0 and 255 at half a per cent of the pixels from either end; what is not finite is 0.
std::vector<uint8_t> grey_values(const Image& image);

// Every call returns at once and may come from any thread.
class Engine {
 public:
  Engine(const Registry& registry, EngineOptions options, Listener& listener);
  ~Engine();  // cancels, joins
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void set_graph(const Graph& graph);  // checks it, reports infos and states, marks what became stale
  // A request stands until another one of the same view replaces it or the view is forgotten: whenever its node would
  // give something else, because the graph or the input changed, the picture comes again with the same ticket. Every
  // request and every such change is answered at least once, if only by an error, unless a newer one overtakes it.
  void request(const std::string& view, const PictureRequest& request);
  void forget(const std::string& view);
  // Answered by Listener::value: a small output as plain numbers; of projections what some rows of all views show
  // (learn::ScanTraits), where work is allowed. A newer question about the same port replaces one that waits.
  void ask(const std::string& node, const std::string& port, Effort effort);
  // Output nodes, block by block; empty: all of them. Files that exist are refused before anything is computed
  // (invalid, with RunEnd::existing), unless they may be replaced. What the graph reads never is, nor are `inputs`: the
  // file that the pipeline came from. Ends in Listener::finished.
  void run(const std::vector<std::string>& outputs, Existing existing = Existing::refuse,
           const io::ProtectedFiles& inputs = {});
  // Their outputs, kept in the cache: all of them, or the middle slice or view where that would not fit. Output nodes
  // among them write their files, as run() does.
  void compute(const std::vector<std::string>& nodes);
  // Finds parameters of the newest graph. While it runs, standing pictures show the parameters as they stand, and then
  // those that were found, until the graph changes or something else is learned; runs take the graph as it is. It
  // changes nothing in the graph (learn::accept() does). Ends in Listener::learned. Learning, landscapes and runs wait
  // for each other.
  void learn(const learn::Settings& settings);
  // To learning under way: pause and go on, or finish with the best so far.
  void command(learn::LearnCommand command);
  // Answered by Listener::landscape and Listener::gradients_checked (in float64, apart from the cache).
  void landscape(const learn::LandscapeRequest& request);
  void check_gradients(const learn::Settings& settings);
  // Answered by Listener::node_checked: dot test and gradients of one node on a small input of the same kind as its
  // own.
  void check_node(const std::string& node);
  // Whether pictures are made for cards; those that are wanted again come when it is quiet.
  void show_thumbnails(bool wanted);
  void stop();        // ends what runs and drops what waits, standing requests excepted
  void free_cache();  // files that were written stay
  // Of one node. What is pinned is kept, however little room there is, until it is freed or unpinned.
  void free_cache(const std::string& node);
  void pin(const std::string& node);
  void unpin(const std::string& node);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tl::live
