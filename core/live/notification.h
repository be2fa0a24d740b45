// Notification: messages from the compute thread to the window: states of nodes, images, runs, texts. No array type and
// no Qt in this header; learning is in a separate header, learning_news.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/base/events.h"
#include "core/live/picture_request.h"
#include "core/live/state.h"
#include "core/live/windows/window_table.h"
#include "core/picture/image.h"
#include "core/run/hints/hint.h"
#include "core/values/infos.h"

namespace tl {
struct Graph;
}
namespace tl::learn {
struct ScanTraits;
}

namespace tl::live {

struct LearningNews;

// State of a node for display on canvas, outline and inspector.
struct NodeStatus {
  State state = State::ready;
  bool whole = false;                        // its whole output has been computed, even if it is running again
  double fraction = 0;                       // progress of the running work, 0 to 1; below 0 = not known
  double seconds_left = -1;                  // below 0 = not known
  double seconds = -1;                       // of the last computation
  std::string summary;                       // "181 x 2 x 640 · absorption"
  std::optional<Error> error;                // failed, unconfigured
  std::map<std::string, std::string> found;  // measured values as text: "axis" -> "-23.67 ± 0.01 px"
  Verdict verdict = Verdict::none;
};
// After every change of state; a change of progress alone is reported at most ten times a second.
struct StatusChange {
  std::string node;
  NodeStatus status;
};

// Sent after every check of a graph: the infos of all outputs, known before they are computed. Nodes with an error, and
// those that depend on one, are absent.
struct InfosChange {
  std::map<std::string, std::map<std::string, Info>> by_node;
};

using picture::Image;

// as_set: the parameters of the graph; learned: values from a running or finished learning that are not accepted yet.
enum class PictureValues { as_set, learned };

struct Picture {
  PictureRequest request;
  uint64_t graph = 0;  // number of the graph from which it was computed, see Requests::set_graph()
  PictureValues values = PictureValues::as_set;
  std::shared_ptr<const Image> image;  // the slices of a box are stacked in rows: rows = slices * rows of one
  int64_t slices = 1;
  // The region computed: the request's region, with fewer points if coarse or binned; for WholeRegion the middle slice
  // or view.
  Region region = WholeRegion{};
  std::string unit;  // "1/mm", "" = plain numbers
  enum class Source { computed, cached } source = Source::computed;
  int64_t level = 1;  // binning: 1 = sharp
  bool final = true;  // false: a sharper one follows
  // The window of a stream that is shown; index below 0: the scan that the graph loads.
  struct Window {
    int64_t index = -1;
    double lost = 0;    // the share of its views
    double newest = 0;  // time at which its last frame arrived [s since 1970]
  } window = {};
  double seconds = 0;
  std::optional<Error> error;  // image is null
};
// Sent at least once for every request and every change of its node's result, unless a newer request replaces it.
struct PictureReady {
  std::string view;
  Picture picture;
};

// A small image of a node's first output, never null. A newer one replaces it.
struct ThumbnailReady {
  std::string node;
  std::shared_ptr<const Image> image;
};

// The present activity of the compute thread; sent when it changes. idle: all requests have been answered. updating:
// graphs, images, values. checking: gradients, nodes, landscapes.
struct Activity {
  enum class Kind { idle, updating, running, learning, checking } kind = Kind::idle;
  friend bool operator==(const Activity&, const Activity&) = default;
};

// The end of Requests::forget_pipeline(): no notification about the former pipeline follows.
struct PipelineForgotten {};

// Sent at the beginning and the end of a run and at most every 50 ms in between.
struct RunProgress {
  bool running = false;
  double fraction = 0;
  double seconds = 0, seconds_left = -1;
  std::string doing;  // "Reconstructing FBP"
};
// Sent once per run or computation of nodes, after its last RunProgress.
struct RunEnd {
  std::optional<Error> error;  // set, with kind cancelled, also when the work was cancelled
  std::vector<std::filesystem::path> files;
  // If not empty, nothing was computed, because these outputs exist and must not be replaced.
  std::vector<std::filesystem::path> existing;
  double seconds = 0;
};
// Estimated time and memory of the whole run; sent when the engine is idle after a check of a graph or after
// computations.
struct Forecast {
  struct NodeTime {
    std::string title;
    double seconds = 0;
  };
  std::shared_ptr<const Graph> of = nullptr;  // graph given to Requests::forecast(); null: the displayed graph
  bool known = false;
  // From the work that is not cached and the rates measured in this process. Below 0 = a node type other than an output
  // has not computed anything yet.
  double seconds = -1;
  std::vector<NodeTime> nodes;  // the parts of `seconds`, by node
  // Titles of outputs that never ran and of nodes that have only measured: their time is not part of `seconds`.
  std::vector<std::string> unmeasured;
  int64_t peak = 0, budget = 0;  // bytes
  bool fits = true;
  std::string why_not;
};

struct PlainColumn {
  std::string name, unit;
  std::vector<double> values;
};
// The answer to Requests::ask(): a small output (scalar, table, spectrum) as plain numbers in its display unit.
struct PlainValue {
  std::string node, port;
  std::vector<PlainColumn> columns;                 // of equal length; a scalar is one column with one number
  double uncertainty = 0;                           // one sigma of a scalar; 0 = not known
  std::shared_ptr<const learn::ScanTraits> traits;  // for projections, which have no columns
  Verdict verdict = Verdict::none;
  bool known = false;  // false: not cached for these settings (and was not to be computed), or an error
  std::optional<Error> error;
};

// Sent after every job that changed it.
struct CacheUse {
  int64_t used = 0, budget = 0;  // bytes
  // Includes results of older settings. Nodes without cached results are absent.
  std::map<std::string, int64_t> by_node;
  std::set<std::string> pinned;
  friend bool operator==(const CacheUse&, const CacheUse&) = default;
};

// Problems of the graph's scans, whether or not the graph corrects them (see open_hints()). Sent once per scan, when
// the engine is idle after its images were shown; and with an empty list when a scan changes.
struct HintsChange {
  std::vector<Hint> hints;
};

// A named number for plots (residual, loss) at step `index`.
struct Metric {
  std::string node, name;
  int64_t index = 0;
  double value = 0;
};

// A window of a stream as shown in images, with the found values: sent once when it is first shown, and again if more
// was found before the next window.
struct WindowShown {
  ComputedWindow window;
};

using MessageLevel = LogLevel;
struct Message {
  MessageLevel level = LogLevel::info;
  std::string node, text;  // node: empty if the message is not about a node
};

using Notification = std::variant<StatusChange, InfosChange, PictureReady, ThumbnailReady, Activity, PipelineForgotten,
                                  RunProgress, RunEnd, Forecast, PlainValue, CacheUse,
                                  std::shared_ptr<const LearningNews>, HintsChange, Metric, WindowShown, Message>;

class Listener {
 public:
  virtual ~Listener() = default;
  // Called on the compute thread, which must not be delayed: implementations pass the data to a thread of their own.
  virtual void notify(Notification notification) = 0;
};

}  // namespace tl::live
