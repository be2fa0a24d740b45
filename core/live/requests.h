// Requests: the queue of the compute thread: the window's calls, in the order of their execution. Requests do not queue
// up: a newer graph, or a newer request of the same view, replaces the older one and cancels its computation if the
// result is no longer needed. No arithmetic on pixels.
//
// Priority: the newest graph's check, runs, first (coarse) images of planes, small values, sharp images of planes,
// boxes for the 3D view, which need all rows of a scan where a plane may need one, learning, then forecast and
// thumbnails. Of a stream, the newest window is used when all images of the previous one were sent, or nothing else
// waits. A run interrupts the image in progress, which is queued again. During a run, images are computed whenever a
// node ends a block, each for a second at most: an image that takes longer is computed after the run. During learning
// they are computed between iterations.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "core/base/cancel.h"
#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"
#include "core/live/picture_request.h"
#include "core/live/switches.h"

namespace tl::learn {
struct LandscapeRequest;
struct Settings;
struct TargetValue;
enum class LearnCommand;
}  // namespace tl::learn

namespace tl::stream {
struct Window;
}

namespace tl::live {

// Whether a value may be computed, or is returned only if cached.
enum class Effort { cached_only, compute };
// Whether a run may replace existing files.
enum class Existing { refuse, replace };
// first: the first image of a region, coarse if requested; sharp: the image that follows a coarse one.
enum class Stage { first, sharp };
// box: a region with several points along all three axes; plane: all other regions.
enum class Shape { plane, box };
Shape shape_of(const PictureRequest& request);

struct GraphJob {
  Graph graph;
  uint64_t number = 0;  // see Requests::set_graph()
};
struct PictureJob {
  std::string view;
  PictureRequest request;
  Stage stage = Stage::first;
  bool after_run = false;  // between the blocks of a run it took too long, or too much memory
};
struct ValueJob {
  std::string node, port;
  Effort effort = Effort::compute;
};
// dropped, here and below: cancelled before it began, so that only its end is reported.
struct RunJob {
  enum class Kind { outputs, results } kind = Kind::outputs;
  std::vector<std::string> nodes;
  Existing existing = Existing::refuse;
  bool dropped = false;
  io::ProtectedFiles inputs = {};
  std::shared_ptr<const Graph> graph = nullptr;  // graph to run, for example of an export; null: the newest one
};
struct LearnJob {
  std::shared_ptr<const learn::Settings> settings;
  bool dropped = false;
};
struct LandscapeJob {
  std::shared_ptr<const learn::LandscapeRequest> request;
  bool dropped = false;
};
struct GradientCheckJob {
  std::shared_ptr<const learn::Settings> settings;
  bool dropped = false;
};
struct NodeCheckJob {
  std::string node;
  bool dropped = false;
};
// Served one after the other.
using LearningJob = std::variant<LearnJob, LandscapeJob, GradientCheckJob, NodeCheckJob>;
// Images show these values instead of those found by learning.
struct ValuesJob {
  std::shared_ptr<const std::vector<learn::TargetValue>> values;
};
// Frees, pins or unpins cached results, or forgets what nodes have measured in windows of a stream.
struct KeepJob {
  enum class Kind { free_all, free_node, pin, unpin, measure_again } kind = Kind::free_all;
  std::string node;
};
struct SwitchesJob {
  Switches switches;
};
// Replaces the scan that the graph loads by a window of a stream; null: shows the scan again.
struct WindowJob {
  std::shared_ptr<const stream::Window> window;
  bool is_first = false;  // first window of its stream: results of earlier windows are not reused
};
// Targets to learn on each window; null: none any more.
struct FollowJob {
  std::shared_ptr<const learn::Settings> settings;
};
// Forecasts another graph, for example of an export; null: no longer.
struct ForecastJob {
  std::shared_ptr<const Graph> graph;
};
struct ForgetJob {};  // see Requests::forget_pipeline()
struct IdleJob {};    // no request for a while
struct QuitJob {};
using Job =
    std::variant<GraphJob, ValuesJob, PictureJob, ValueJob, RunJob, LearnJob, LandscapeJob, GradientCheckJob,
                 NodeCheckJob, KeepJob, SwitchesJob, WindowJob, FollowJob, ForecastJob, ForgetJob, IdleJob, QuitJob>;

// Thread-safe; functions marked "compute thread" may only be called from that thread, all others return immediately and
// may be called from any thread.
class Requests {
 public:
  Requests();
  ~Requests();
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  // Checks the graph, reports infos and states, marks outdated results. Returns the graph's number, one more than that
  // of the previous graph; images give the number of the graph that they show.
  uint64_t set_graph(const Graph& graph);
  // Called before the first set_graph() of another pipeline: stop(), then drops all results, pins and states. Answered
  // by PipelineForgotten, before anything of the new pipeline is computed or reported.
  void forget_pipeline();
  // A request is valid until another request of the same view replaces it or forget() removes it: whenever its node's
  // result changes, because the graph or the input changed, the image is sent again with the same ticket. Every request
  // and every such change is answered by PictureReady at least once, possibly with an error, unless a newer request
  // supersedes it.
  void request(const std::string& view, const PictureRequest& request);
  void forget(const std::string& view);
  // Answered by PlainValue: a small output as plain numbers; for projections their learn::ScanTraits, from some rows of
  // all views and only with Effort::compute. A newer question about the same port replaces a waiting one.
  void ask(const std::string& node, const std::string& port, Effort effort);
  // Runs output nodes block by block; empty: all of them. It starts immediately: the current image or value is
  // interrupted and computed later; learning and another run finish first. If their files exist and must not be
  // replaced, the run is refused before anything is computed (invalid, with RunEnd::existing). Files that the graph
  // reads are never replaced, nor are `inputs` (the file that the pipeline came from). Ends in RunEnd.
  void run(const std::vector<std::string>& outputs, Existing existing = Existing::refuse,
           const io::ProtectedFiles& inputs = {});
  // Runs another graph, which shares results with the newest one, for example of an export.
  void run_graph(const Graph& graph, const std::vector<std::string>& outputs, Existing existing,
                 const io::ProtectedFiles& inputs);
  // Answered by Forecast with this graph, when the engine is idle, and again when rates or results have changed, until
  // the forecast of another graph or null is requested.
  void forecast(std::shared_ptr<const Graph> graph);
  // Computes the outputs of nodes into the cache: all of each, or the middle slice or view if that would not fit.
  // Output nodes among them write their files, as in run().
  void compute(const std::vector<std::string>& nodes);
  // Learns parameters of the newest graph. Meanwhile, current images show the present parameter values, and
  // afterwards the found ones, until the graph changes or another learning starts; runs use the graph as set. The
  // graph itself does not change (learn::accept() changes it). Ends in LearnEnd. Learning, landscapes and runs wait
  // for each other.
  void learn(const learn::Settings& settings);
  // Asks the current learning to pause, to continue, or to finish with the best values so far.
  void command(learn::LearnCommand command);
  // After learning has ended: current images show these values of its targets instead of the found ones, until the
  // graph changes or another learning starts. Runs use the graph as set. A newer call replaces a waiting one.
  void show_values(const std::vector<learn::TargetValue>& values);
  // Answered by LandscapeEnd and GradientCheckEnd. Gradients are checked in float64 with a cache of their own.
  void landscape(const learn::LandscapeRequest& request);
  void check_gradients(const learn::Settings& settings);
  // Answered by NodeCheckEnd: dot test and gradients of one node on a small input of the same kind as its own.
  void check_node(const std::string& node);
  void set_switches(const Switches& switches);
  // Frames of a stream replace the scan that the graph loads: begin_arrivals(), then each window when it is complete,
  // then end_arrivals(). The newest window replaces a waiting one. All current images are updated, directly in full
  // resolution. While windows arrive there are no thumbnails, hints, forecasts and finer images, and infos are reported
  // only when grids change.
  void begin_arrivals();
  void arrive(std::shared_ptr<const stream::Window> window);
  void end_arrivals();
  [[nodiscard]] int64_t windows_replaced() const;  // windows since begin_arrivals() replaced before they were used
  // The targets follow the windows: learning on some of them, each time from the last value, for at most a fifth of the
  // time. Answered by FollowEnd each time. Images show the values. nullopt, and end_arrivals(), end it.
  void follow(const std::optional<learn::Settings>& settings);
  // Repeats, in the newest window, measurements that nodes made in the first window and kept for all later ones.
  void measure_again();
  // Cancels the current work and drops waiting jobs; requests of views stay. During a run, waiting images are
  // kept.
  void stop();
  void free_cache();  // does not touch written files
  // Frees the cached results of one node. Results of pinned nodes are not evicted until they are freed or unpinned.
  void free_cache(const std::string& node);
  void pin(const std::string& node);
  void unpin(const std::string& node);

  // Compute thread: waits for the most urgent job and returns it; an IdleJob after `idle` seconds without one (below 0:
  // never).
  Job next(double idle);
  // Compute thread, during a run: a job that should not wait for the run's end.
  std::optional<Job> urgent();
  // Compute thread: queues the sharp image after a coarse one, unless the view has a newer request.
  void refine(const PictureJob& job);
  // Compute thread: queues an image again that does not fit into memory together with the run; it is computed after the
  // run.
  void postpone(const PictureJob& job);
  // Restarts a cancelled image from its beginning, unless the view has requested another one or waits for one.
  void restart(const PictureJob& job);
  // Compute thread: queues the view's image again, because its node's result has changed.
  void renew(const std::string& view);
  // Compute thread: the view has been sent an image.
  void shown(const std::string& view);
  [[nodiscard]] std::map<std::string, PictureRequest> standing() const;
  [[nodiscard]] bool anything() const;                // whether any job waits
  [[nodiscard]] learn::LearnCommand command() const;  // the newest one

  // Compute thread: registers a running job, whose token other threads may cancel while the guard lives.
  class Guard {
   public:
    Guard(Requests& requests, const Job& job);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    [[nodiscard]] const CancelToken& token() const;
    // Whether a newer request superseded the job (not stop()).
    [[nodiscard]] bool superseded() const;

   private:
    friend class Requests;
    Requests& requests_;
    struct Running;
    std::unique_ptr<Running> running_;
  };

 protected:
  void quit();  // cancels all work; the next job is a QuitJob

 private:
  using Clock = std::chrono::steady_clock;
  void add_picture(PictureJob job);
  void add_run(RunJob job);
  void add_learning(LearningJob job);
  void add_keep(KeepJob job);
  void cancel_idle_work();
  void stop_all();
  void interrupt(Guard::Running& running, const PictureJob& same);
  void queue_again(const PictureJob& job);
  [[nodiscard]] bool is_running() const;
  [[nodiscard]] bool is_source(const std::string& node) const;
  void queue_source_first(const std::string& view);
  void supersede(Guard::Running& running);
  void watch();
  std::optional<Job> take_picture(Stage stage, Shape shape, bool urgent_only);
  Job take_keep();
  Job take_run();
  std::optional<Job> take(bool urgent_only);
  [[nodiscard]] bool gives_way_to_runs() const;  // whether all current work ends so that a run can start

  mutable std::mutex mutex_;
  std::condition_variable wake_, watch_;
  std::optional<Graph> graph_;                                           // waiting to be checked
  std::shared_ptr<const std::vector<learn::TargetValue>> shown_values_;  // values to be shown next; null: none
  Graph newest_;
  uint64_t number_ = 0;  // of newest_
  bool forget_ = false;  // a ForgetJob waits
  std::map<std::string, PictureRequest> standing_;
  std::map<std::string, bool> starving_;  // the view's last image was cancelled, and none was shown since
  std::deque<PictureJob> pictures_;
  std::deque<ValueJob> values_;
  std::deque<RunJob> runs_;
  std::deque<LearningJob> learnings_;
  std::atomic<learn::LearnCommand> command_{};  // go_on
  std::deque<KeepJob> keeps_;
  std::optional<WindowJob> window_;  // waits
  bool stream_begins_ = false;       // the next window is the first of its stream
  int64_t windows_replaced_ = 0;
  std::optional<FollowJob> follow_;      // waits
  std::optional<ForecastJob> forecast_;  // waits
  std::optional<Switches> switches_;     // newest setting, until the compute thread reads it
  bool quit_ = false;
  std::list<Guard::Running*> running_;  // a run, and an image computed between its blocks
  std::thread watcher_;
};

}  // namespace tl::live
