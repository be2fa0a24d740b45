// Worker: does the jobs of the compute thread with one executor, so that all graphs and requests share one cache.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/learn/learning_types.h"
#include "core/live/engine.h"
#include "core/live/forecast.h"
#include "core/live/monitor.h"
#include "core/live/pictures.h"
#include "core/live/requests.h"
#include "core/live/states.h"
#include "core/run/executor.h"

namespace tl {
class Arrivals;
class Follower;
}  // namespace tl

namespace tl::live {

// Compute thread only.
class Worker {
 public:
  Worker(const Registry& registry, EngineOptions options, Listener& listener, Requests& requests);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  void work();  // until Requests::quit()

 private:
  // in_between: called from another job, between two of its blocks.
  enum class Interleaving { alone, in_between };
  // Some nodes with everything upstream of them, and their keys at the beginning of a job.
  struct Subgraph {
    Graph graph;
    NodeKeys keys;
  };
  struct PictureTask;

  bool serve(const Job& job, Interleaving interleaving);  // false after a QuitJob
  // if_regions_differ: infos are reported only if the region of an output differs from that reported last.
  enum class Announce { always, if_regions_differ };
  void check(const Graph& graph, Announce announce = Announce::always);
  void show_drawn();  // shows the graph with learned and followed values
  void take_window(const WindowJob& job);
  Result<void> give_window(const Graph& graph);
  void take_follow(const FollowJob& job);
  void measure_again();
  void report_window(const std::map<std::string, NodeInspection>& looks);
  [[nodiscard]] Picture::Window shown_window() const;
  void follow_window();
  void picture(const PictureJob& job, Interleaving interleaving);
  Result<Picture> make_picture(PictureTask& task);
  Result<Picture> computed_picture(PictureTask& task);
  void value(const ValueJob& job, Interleaving interleaving);
  Result<void> show_traits(const ValueJob& job, const Subgraph& part, PlainValue& value);
  Result<void> make_value(const ValueJob& job, const Subgraph& part, PlainValue& value);
  void run(const RunJob& job);
  [[nodiscard]] Subgraph part_of(const Graph& graph) const;
  Result<std::vector<std::filesystem::path>> run_outputs(const RunJob& job, const Subgraph& part);
  [[nodiscard]] std::vector<std::filesystem::path> written_by(const Graph& graph) const;
  Result<void> compute(const std::string& node, const Subgraph& part, std::vector<std::filesystem::path>& files);
  void finish_run(const RunJob& job, const Subgraph& part, const Monitor& monitor,
                  const Result<std::vector<std::filesystem::path>>& result);
  void learn(const LearnJob& job);
  Result<learn::Learned> learned(const learn::Settings& settings);
  void show_learning(const learn::Progress& progress);
  void show_values(const ValuesJob& job);
  void landscape(const LandscapeJob& job);
  Result<learn::GradientCheck> exact_gradients(const Graph& graph, const learn::Settings& settings,
                                               const Requests::Guard& guard);
  void check_gradients(const GradientCheckJob& job);
  void check_node(const NodeCheckJob& job);
  void idle();
  [[nodiscard]] bool error_may_disappear(const std::string& node) const;
  bool next_thumbnail();
  void next_hints();
  [[nodiscard]] std::map<std::string, Hash> scans() const;
  bool thumbnail(const std::string& node, const std::string& port, const Info& info);
  void keep_thumbnail(const PictureJob& job, const Pixels& pixels);
  // Estimated cost of a region that is not computed yet.
  struct Cost {
    double seconds = 0;  // of the nodes whose rates are known
    enum class Rates { known, some_unknown } rates = Rates::known;
    int64_t peak = 0;                            // [bytes]
    Partition partition = Partition::pointwise;  // whole if a node computes its output only as a whole
  };
  Result<Cost> cost(const PictureRequest& request, const Subgraph& part, const Region& region);
  void next_finer_pictures();
  [[nodiscard]] bool is_finer_due(const std::string& view, const PictureRequest& request) const;
  Result<std::optional<Picture>> finer_picture(const PictureRequest& request, const Subgraph& part);
  void keep(const KeepJob& job);
  void forget_pipeline();
  void after_work();
  void report(Activity now);

  [[nodiscard]] double patience() const;
  [[nodiscard]] Subgraph upstream_part(const std::vector<std::string>& nodes) const;
  [[nodiscard]] std::optional<Error> blocking_error(const std::string& node) const;
  [[nodiscard]] CallOptions call(const Requests::Guard& guard, Monitor& monitor, Interleaving interleaving) const;
  // Titles of nodes come from `graph`; null: from the newest one.
  [[nodiscard]] Monitor::Wiring wiring(Interleaving interleaving, const std::shared_ptr<const Graph>& graph = nullptr);
  [[nodiscard]] std::vector<std::string> outputs() const;
  [[nodiscard]] bool is_active(const std::string& node) const;
  void fail(const Subgraph& part, const std::string& failed_node, const Error& error);

  const Registry& registry_;
  EngineOptions options_;
  Listener& listener_;
  Requests& requests_;
  Executor executor_;
  States states_;
  Rates rates_;
  Graph graph_;  // the displayed graph: during learning with the present parameter values
  Graph drawn_;  // the graph as set
  uint64_t graph_number_ = 0;
  Activity activity_;
  // Values from learning: the present ones, afterwards the found ones.
  std::optional<std::vector<learn::TargetValue>> target_values_;
  bool shows_learned_ = false;  // learning has ended, and images show its result, which is not accepted yet
  std::map<std::string, NodeInspection> looks_;
  std::map<std::string, Hash> answered_;                          // by view: key of its node at its last answer
  std::map<std::string, uint64_t> shown_;                         // by view: number of the job whose image it shows
  std::map<std::string, std::pair<Hash, PictureRequest>> finer_;  // by view: the request whose finer image was sent
  uint64_t jobs_ = 0;
  std::map<std::string, Hash> thumbnails_;          // by node: the key for which its thumbnail was made or tried
  std::set<std::string> costly_thumbnails_;         // nodes whose thumbnail was estimated to take too long
  std::map<std::string, Hash> hinted_;              // by scan: the key for which its hints were computed
  std::map<std::string, std::vector<Hint>> hints_;  // by scan
  CacheUse cache_;
  bool forecast_due_ = false;
  std::shared_ptr<const Graph> forecast_of_;  // another graph whose forecast is requested; null: none
  // The window of a stream that is shown; null: the graph's own scan.
  std::shared_ptr<const stream::Window> window_;
  std::unique_ptr<Arrivals> arrivals_;
  std::string window_error_;  // that was reported
  bool window_announced_ = false;
  std::map<std::string, Infos> announced_;
  bool window_is_known_ = false;        // all values found by its nodes have been reported
  std::unique_ptr<Follower> follower_;  // null: nothing is followed
};

}  // namespace tl::live
