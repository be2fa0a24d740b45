// TrainingJob: a network learns from the labels of a pipeline. No array type and no Qt in this header.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/output/output_rules.h"
#include "core/live/jobs/job.h"
#include "core/train/training_plan.h"
#include "core/values/label_table.h"

namespace tl::jobs {

// Properties of plan and pipeline that a checkpoint stores, so that the same training can be recognised.
struct TrainingIdentity {
  train::TrainingPlan plan;
  std::string data;  // digest of the pipeline, as far as painted volumes and labels depend on it
};
std::string data_identity(const Graph& graph);
// Parses the note in a checkpoint. Errors: invalid: not written by a TrainingJob.
Result<TrainingIdentity> identity_from_note(const std::string& note);

// After cancel() the checkpoint is written before the job ends.
class TrainingJob final : public Job {
 public:
  struct Settings : JobPipeline {
    train::TrainingPlan plan;
    std::filesystem::path checkpoint;  // empty: none is kept
    enum class Begin { from_start, with_checkpoint } begin = Begin::from_start;
    std::filesystem::path best_folder;  // each improved network is written there as a file; empty: none is
  };
  struct Progress : JobProgress {
    int64_t step = 0, steps = 0;  // done, and at most
    std::vector<LabelClass> classes;
    std::vector<train::EpochScores> curves;  // scores of the epochs that have ended
    std::filesystem::path best;              // the file of the best network so far; empty: none in this run
  };
  struct End : JobEnd {
    train::TrainingEnd why = train::TrainingEnd::all_epochs;
    int64_t best_epoch = 0;  // from 1
  };
  using Listener = JobListener<Progress, End>;

  TrainingJob(const Registry& registry, Settings settings, Listener& listener);
  // Saves the best network, after the job ended without error. Errors: invalid: the job did not end successfully; by
  // the rules; io.
  [[nodiscard]] Result<void> save(const std::filesystem::path& file, const io::OutputRules& rules) const;

 private:
  class Work;
};

}  // namespace tl::jobs
