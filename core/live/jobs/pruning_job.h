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
    train::TrainingPlan samples;  // planes, patches, rate, and what validates: as of the training of the network
  };
  struct Progress : JobProgress {
    int64_t steps = 0;  // that are planned; `done` counts the training of the one under way
    int64_t edges = 0;  // filters that can be pruned
    std::vector<LabelClass> classes;
    std::vector<train::PrunedState> states;  // the first is the network before pruning
    // Macro F1 while what is left is trained: over the steps, 2.5 is half of the training after step 3.
    std::vector<double> trained_at, macro_f1;
  };
  using End = JobEnd;
  using Listener = JobListener<Progress, End>;

  PruningJob(const Registry& registry, Settings settings, Listener& listener);
  // The pruned network and the report, both or none, after it ended without error. The network that was pruned is never
  // replaced. Errors: invalid: it did not end so; by the rules; io.
  [[nodiscard]] Result<void> save(const std::filesystem::path& network, const std::filesystem::path& report,
                                  const io::OutputRules& rules) const;

 private:
  class Work;
};

}  // namespace tl::jobs
