// PruningJob: a network is pruned, and trained in between on the labels of a pipeline, on a thread of its own.
// No array type and no Qt in this header.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/io/output/output_rules.h"
#include "core/train/labelled_pipeline.h"
#include "core/train/pruning_plan.h"
#include "core/values/label_table.h"

namespace tl {
class Registry;
}

namespace tl::train {

struct PruningSettings : LabelledPipeline {
  PruningPlan plan;
  TrainingPlan samples;  // planes, patches, rate, and what validates: as of the training of the network
  int threads = 0;       // 0 = one per core
};

struct PruningProgress {
  enum class Phase { reading, pruning, training, paused } phase = Phase::reading;
  int64_t steps = 0;         // that are planned
  double done = 0;           // share of the steps, with the training of the one under way
  double seconds_left = -1;  // at most, below 0 = not known
  int64_t edges = 0;         // filters that can be pruned
  std::vector<LabelClass> classes;
  std::vector<PrunedState> states;  // the first is the network before pruning
  // Macro F1 while what is left is trained: over the steps, 2.5 is half of the training after step 3.
  std::vector<double> trained_at, macro_f1;
  std::vector<std::string> warnings;  // of the data
};

struct PruningEnd {
  std::optional<Error> error;  // of kind cancelled after cancel()
  double seconds = 0;          // without pauses
};

// Called on the thread of the job.
class PruningListener {
 public:
  virtual ~PruningListener() = default;
  // At every change of phase, after every step and epoch, and at most ten times a second.
  virtual void progressed(PruningProgress progress) = 0;
  virtual void ended(PruningEnd end) = 0;  // once, last
};

// Yields to the views and the window, see lower_thread_priority_for_long_work(). Calls return at once and may come from
// any thread.
class PruningJob {
 public:
  PruningJob(const Registry& registry, PruningSettings settings, PruningListener& listener);
  ~PruningJob();  // cancels
  PruningJob(const PruningJob&) = delete;
  PruningJob& operator=(const PruningJob&) = delete;

  void pause();  // after the step of training, or of pruning, under way
  void go_on();
  void cancel();
  // The pruned network and the report, both or none, after it ended without error. The network that was pruned is never
  // replaced. Errors: invalid: it did not end so; by the rules; io.
  [[nodiscard]] Result<void> save(const std::filesystem::path& network, const std::filesystem::path& report,
                                  const io::OutputRules& rules) const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
  std::thread thread_;
};

}  // namespace tl::train
