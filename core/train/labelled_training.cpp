// Computes labelled volumes on the calling thread, and translates plans.
#include "core/train/labelled_training.h"

#include "core/graph/upstream.h"
#include "core/run/executor.h"
#include "core/train/example_nodes.h"

namespace tl::train {

Result<LabelledSet> labelled_set(const Registry& registry, const JobPipeline& labelled, const TrainingPlan& plan,
                                 const CancelToken& cancel) {
  Executor executor(registry, run_options(labelled, cancel));
  const Graph graph = upstream_of(labelled.graph, example_nodes(labelled.graph));
  TL_TRY(auto volumes, example_volumes(executor, graph, labelled.pipeline));
  return training_set_of(std::move(volumes), {}, {Split::automatic, plan.share, plan.gap, plan.seed, {}});
}

TrainingOptions options_of(const TrainingPlan& plan) {
  TrainingOptions t;
  t.sampling.planes = plan.planes;
  t.sampling.edge = plan.patch;
  t.sampling.prior = Prior::classes;
  t.optimiser.rate = plan.rate;
  t.epochs = plan.epochs;
  t.steps = plan.steps;
  t.batch = plan.batch;
  t.patience = plan.patience;
  t.seed = plan.seed;
  return t;
}

}  // namespace tl::train
