// PruningJob: a network is pruned, and trained in between on the labels of a pipeline. No array type and no Qt in this
// header.
#pragma once

#include <filesystem>
#include <vector>

#include "core/io/output/output_rules.h"
#include "core/live/jobs/job.h"
#include "core/train/pruning_plan.h"
#include "core/values/label_table.h"

namespace tl::jobs {

class PruningJob final : public Job {
 public:
  struct Settings : JobPipeline {
    train::PruningPlan plan;
    train::TrainingPlan samples;  // planes, patches, rate and validation data: as for the training of the network
  };
  struct Progress : JobProgress {
    int64_t steps = 0;  // number of planned steps; `done` includes training in the current step
    int64_t edges = 0;  // filters that can be pruned
    std::vector<LabelClass> classes;
    std::vector<train::PrunedState> states;  // the first state is the network before pruning
    // Macro F1 during training after pruning steps, as a function of the step: 2.5 is halfway through the training
    // after step 3.
    std::vector<double> trained_at, macro_f1;
  };
  using End = JobEnd;
  using Listener = JobListener<Progress, End>;

  PruningJob(const Registry& registry, Settings settings, Listener& listener);
  // Saves the pruned network and the report, both or none, after the job ended without error. The original network is
  // never replaced. Errors: invalid: the job did not end successfully; by the rules; io.
  [[nodiscard]] Result<void> save(const std::filesystem::path& network, const std::filesystem::path& report,
                                  const io::OutputRules& rules) const;

 private:
  class Work;
};

}  // namespace tl::jobs
