// Worker: what the compute thread does: one executor, and with it one cache, through all graphs and requests.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/live/forecast.h"
#include "core/live/monitor.h"
#include "core/live/pictures.h"
#include "core/live/requests.h"
#include "core/live/states.h"
#include "core/run/executor.h"

namespace tl::live {

// Belongs to the compute thread.
class Worker {
 public:
  Worker(const Registry& registry, EngineOptions options, Listener& listener, Requests& requests);
  void work();  // until Requests::quit()

 private:
  // In between: while another job waits for its next block.
  enum class Interleaving { alone, in_between };
  // Some nodes with all that is upstream of them, as they are when a job begins.
  struct Part {
    Graph graph;
    NodeKeys keys;
  };
  struct PictureTask;

  bool serve(const Job& job, Interleaving interleaving);  // false: quit
  void check(const Graph& graph);
  void picture(const PictureJob& job, Interleaving interleaving);
  Result<Picture> make_picture(PictureTask& task);
  Result<Picture> computed_picture(PictureTask& task);
  void value(const ValueJob& job, Interleaving interleaving);
  Result<void> show_traits(const ValueJob& job, const Part& part, PlainValue& value);
  Result<void> make_value(const ValueJob& job, const Part& part, PlainValue& value);
  void run(const RunJob& job);
  Result<std::vector<std::filesystem::path>> run_outputs(const RunJob& job, const Part& part);
  [[nodiscard]] std::vector<std::filesystem::path> written_by(const Graph& graph) const;
  Result<void> compute(const std::string& node, const Part& part, std::vector<std::filesystem::path>& files);
  void finish_run(const RunJob& job, const Part& part, const Monitor& monitor,
                  const Result<std::vector<std::filesystem::path>>& result);
  void learn(const LearnJob& job);
  Result<learn::Learned> learned(const learn::Settings& settings);
  void show_learning(const learn::Progress& progress);
  void landscape(const LearnJob& job);
  void check_gradients(const LearnJob& job);
  void check_node(const LearnJob& job);
  void idle();
  [[nodiscard]] bool may_heal(const std::string& node) const;
  bool next_thumbnail();
  bool thumbnail(const std::string& node, const std::string& port, const Info& info);
  void keep_thumbnail(const PictureJob& job, const Region& shown, const Pixels& pixels);
  Result<bool> is_cheap(const PictureRequest& request, const Part& part, const Region& region);
  void keep(const KeepJob& job);
  void after_work();

  [[nodiscard]] double patience() const;
  [[nodiscard]] Part part_of(const std::vector<std::string>& nodes) const;
  [[nodiscard]] std::optional<Error> obstacle(const std::string& node) const;
  [[nodiscard]] CallOptions call(const Requests::Guard& guard, Monitor& monitor, Interleaving interleaving) const;
  [[nodiscard]] Monitor::Wiring wiring(Interleaving interleaving);
  [[nodiscard]] std::vector<std::string> outputs() const;
  [[nodiscard]] bool is_active(const std::string& node) const;
  void fail(const Part& part, const std::string& failed_node, const Error& error);

  const Registry& registry_;
  EngineOptions options_;
  Listener& listener_;
  Requests& requests_;
  Executor executor_;
  States states_;
  Rates rates_;
  Graph graph_;  // as it is shown: while something is learned, with the parameters as they stand
  Graph drawn_;  // as it was set
  std::optional<std::vector<learn::Standing>> learning_;
  bool undecided_ = false;  // learning has ended, and pictures show what it found
  std::map<std::string, NodeLook> looks_;
  std::map<std::string, Hash> answered_;   // views: the key of their node when they were last answered
  std::map<std::string, uint64_t> shown_;  // views: number of the job that they show
  uint64_t jobs_ = 0;
  std::map<std::string, Hash> thumbnails_;  // nodes: the key of what their thumbnail shows, or was tried for
  CacheUse cache_;
  bool forecast_due_ = false;
};

}  // namespace tl::live
