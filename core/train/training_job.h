// TrainingJob: a network learns from the labels of a pipeline, on a thread of its own. No array type and no Qt
// in this header.
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
#include "core/train/training_plan.h"
#include "core/values/label_table.h"

namespace tl::train {

struct JobSettings : LabelledPipeline {
  TrainingPlan plan;
  std::filesystem::path checkpoint;  // empty: none is kept
  enum class Begin { from_start, with_checkpoint } begin = Begin::from_start;
  std::filesystem::path best_folder;  // every better network is written there as a file; empty: none is
  int threads = 0;                    // 0 = one per core
};

struct JobProgress {
  enum class Phase { reading, training, paused } phase = Phase::reading;
  int64_t step = 0, steps = 0;  // done, and at most
  double seconds_left = -1;     // at most, below 0 = not known
  std::vector<LabelClass> classes;
  std::vector<EpochScores> curves;    // of the epochs that have ended
  std::filesystem::path best;         // the file of the best network so far; empty: none in this run
  std::vector<std::string> warnings;  // of the data
};

struct JobEnd {
  std::optional<Error> error;  // of kind cancelled after cancel(): the checkpoint is written
  enum class Why { all_epochs, patience, taken } why = Why::all_epochs;
  int64_t best_epoch = 0;  // from 1
  double seconds = 0;      // without pauses
};

// Called on the thread of the job.
class JobListener {
 public:
  virtual ~JobListener() = default;
  // At every change of phase, after every epoch, and otherwise at most ten times a second.
  virtual void progressed(JobProgress progress) = 0;
  virtual void ended(JobEnd end) = 0;  // once, last
};

// What a checkpoint keeps of the plan and of the pipeline, so that the same training can be found again.
struct JobIdentity {
  TrainingPlan plan;
  std::string data;  // of the pipeline as far as painted volumes and labels depend on it
};
std::string data_identity(const Graph& graph);
// Of the note in a checkpoint. Errors: invalid: not written by a TrainingJob.
Result<JobIdentity> identity_from_note(const std::string& note);

// Yields to the views and the window, see lower_thread_priority_for_long_work(). Calls return at once and may come from
// any thread.
class TrainingJob {
 public:
  TrainingJob(const Registry& registry, JobSettings settings, JobListener& listener);
  ~TrainingJob();  // cancels, and waits until the checkpoint is written
  TrainingJob(const TrainingJob&) = delete;
  TrainingJob& operator=(const TrainingJob&) = delete;

  void pause();  // after the step under way
  void go_on();
  void take_best();  // ends with the best network so far, once an epoch has ended
  void cancel();
  // The best network, after it ended without error. Errors: invalid: it did not end so; by the rules; io.
  [[nodiscard]] Result<void> save(const std::filesystem::path& file, const io::OutputRules& rules) const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
  std::thread thread_;
};

}  // namespace tl::train
