// Requests: the job queue of the compute thread. Newest first, no duplicates, and cancel tokens for jobs whose result
// is no longer needed. No arithmetic on pixels.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "core/base/cancel.h"
#include "core/live/engine.h"

namespace tl::live {

// first: the first picture of a region, coarse if requested; sharp: the one that follows a coarse picture.
enum class Stage { first, sharp };

struct GraphJob {
  Graph graph;
};
struct PictureJob {
  std::string view;
  PictureRequest request;
  Stage stage = Stage::first;
};
struct ValueJob {
  std::string node, port;
  Effort effort = Effort::compute;
};
struct RunJob {
  enum class Kind { outputs, results } kind = Kind::outputs;
  std::vector<std::string> nodes;
  Existing existing = Existing::refuse;
  bool dropped = false;  // cancelled before it began: only its end is reported
  io::ProtectedFiles inputs = {};
};
struct LearnJob {
  enum class Kind { learn, landscape, gradients, node } kind = Kind::learn;
  learn::Settings settings;
  learn::LandscapeRequest landscape;
  bool dropped = false;   // cancelled before it began: only its end is reported
  std::string node = {};  // Kind::node
};
// Frees, pins or unpins cached results.
struct KeepJob {
  enum class Kind { free_all, free_node, pin, unpin } kind = Kind::free_all;
  std::string node;
};
struct ThumbnailsJob {
  bool wanted = true;
};
struct IdleJob {};  // nothing was requested for a while
struct QuitJob {};
using Job = std::variant<GraphJob, PictureJob, ValueJob, RunJob, LearnJob, KeepJob, ThumbnailsJob, IdleJob, QuitJob>;

// Thread-safe; functions marked "compute thread" may only be called from that thread.
class Requests {
 public:
  Requests();
  ~Requests();
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  void set_graph(const Graph& graph);
  void request(const std::string& view, const PictureRequest& request);
  void forget(const std::string& view);
  void ask(const ValueJob& question);
  void run(RunJob job);
  void learn(LearnJob job);
  void command(learn::LearnCommand command) { command_ = command; }
  [[nodiscard]] learn::LearnCommand command() const { return command_; }
  void stop();
  void keep(KeepJob job);
  void show_thumbnails(bool wanted);
  void quit();

  // Compute thread: waits for the most urgent job and returns it; an IdleJob after `idle` seconds without one (below 0:
  // never).
  Job next(double idle);
  // Compute thread, during a run: a job that should not wait for the run's end.
  std::optional<Job> urgent();
  // Compute thread: queues the sharp picture after a coarse one, unless the view has a newer request.
  void refine(const PictureJob& job);
  // Compute thread: queues the view's picture again, because its node's result has changed.
  void renew(const std::string& view);
  // Compute thread: the view has been sent a picture.
  void shown(const std::string& view);
  [[nodiscard]] std::map<std::string, PictureRequest> standing() const;
  [[nodiscard]] bool anything() const;  // whether any job waits

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

 private:
  using Clock = std::chrono::steady_clock;
  void add_picture(PictureJob job);
  [[nodiscard]] bool is_source(const std::string& node) const;
  void queue_source_first(const std::string& view);
  void supersede(Guard::Running& running);
  void watch();
  std::optional<Job> take_picture(Stage stage);
  std::optional<Job> take(bool urgent_only);

  mutable std::mutex mutex_;
  std::condition_variable wake_, watch_;
  std::optional<Graph> graph_;  // waiting to be checked
  Graph newest_;
  std::map<std::string, PictureRequest> standing_;
  std::map<std::string, bool> starving_;  // the view's last picture was cancelled, and none was shown since
  std::deque<PictureJob> pictures_;
  std::deque<ValueJob> values_;
  std::deque<RunJob> runs_;
  std::deque<LearnJob> learns_;
  std::atomic<learn::LearnCommand> command_ = learn::LearnCommand::go_on;
  std::deque<KeepJob> keeps_;
  std::optional<bool> thumbnails_;  // newest setting, until the compute thread takes it
  bool quit_ = false;
  std::list<Guard::Running*> running_;  // a run, and a picture made between its blocks
  std::thread watcher_;
};

}  // namespace tl::live
