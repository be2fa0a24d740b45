// Requests: what is wanted of the compute thread: newest first, nothing twice, and tokens that call off what became
// worthless. No arithmetic on pixels.
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

// The first picture of a region, coarse where that is wanted, and the sharp one that follows a coarse one.
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
  bool dropped = false;  // called off before it began: only its end is to be reported
  io::ProtectedFiles inputs = {};
};
struct LearnJob {
  enum class Kind { learn, landscape, gradients, node } kind = Kind::learn;
  learn::Settings settings;
  learn::LandscapeRequest landscape;
  bool dropped = false;   // called off before it began: only its end is to be reported
  std::string node = {};  // Kind::node
};
// What the cache is to keep, or no longer.
struct KeepJob {
  enum class Kind { free_all, free_node, pin, unpin } kind = Kind::free_all;
  std::string node;
};
struct ThumbnailsJob {
  bool wanted = true;
};
struct IdleJob {};  // nothing was wanted for a while
struct QuitJob {};
using Job = std::variant<GraphJob, PictureJob, ValueJob, RunJob, LearnJob, KeepJob, ThumbnailsJob, IdleJob, QuitJob>;

// Everything that may be called from any thread is locked; `next`, `urgent` and what is said to be the compute
// thread's belong to that one.
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

  // Compute thread: the most urgent job. Waits; after `idle` seconds without one it is an IdleJob (below 0: never).
  Job next(double idle);
  // Compute thread, during a run: what should not wait for its end.
  std::optional<Job> urgent();
  // Compute thread: the sharp picture after a coarse one, unless the view wants something else by now.
  void refine(const PictureJob& job);
  // Compute thread: the view's picture once more, because its node would give something else.
  void renew(const std::string& view);
  // Compute thread: something was shown in the view.
  void shown(const std::string& view);
  [[nodiscard]] std::map<std::string, PictureRequest> standing() const;
  [[nodiscard]] bool anything() const;  // does any job wait?

  // Compute thread: a job begins; while the guard lives, its token may be cancelled from outside.
  class Guard {
   public:
    Guard(Requests& requests, const Job& job);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    [[nodiscard]] const CancelToken& token() const;
    // Called off because something newer overtook it, not by stop().
    [[nodiscard]] bool overtaken() const;

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
  void put_first(const std::string& view);
  void in_vain(Guard::Running& running);
  void watch();
  std::optional<Job> take_picture(Stage stage);
  std::optional<Job> take(bool urgent_only);

  mutable std::mutex mutex_;
  std::condition_variable wake_, watch_;
  std::optional<Graph> graph_;  // waits to be checked
  Graph newest_;
  std::map<std::string, PictureRequest> standing_;
  std::map<std::string, bool> starving_;  // the last picture of the view was called off, nothing was shown since
  std::deque<PictureJob> pictures_;
  std::deque<ValueJob> values_;
  std::deque<RunJob> runs_;
  std::deque<LearnJob> learns_;
  std::atomic<learn::LearnCommand> command_ = learn::LearnCommand::go_on;
  std::deque<KeepJob> keeps_;
  std::optional<bool> thumbnails_;  // the last word, until it is taken
  bool quit_ = false;
  std::list<Guard::Running*> running_;  // a run, and a picture made in between
  std::thread watcher_;
};

}  // namespace tl::live
