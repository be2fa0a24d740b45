// Computes painted volumes on the calling thread, and translates plans.
#include "core/train/painted_training.h"

#include "core/graph/upstream.h"
#include "core/run/executor.h"

namespace tl::train {

Result<LabelledSet> painted_set(const Registry& registry, const PaintedPipeline& painted, const TrainingPlan& plan,
                                const CancelToken& cancel) {
  RunOptions options;
  options.device = painted.device;
  options.device_fallback = DeviceFallback::allow;
  options.memory = painted.memory;
  options.input_dir = painted.input_dir;
  options.cancel = cancel;
  Executor executor(registry, options);
  const Graph graph = upstream_of(painted.graph, painted_nodes(painted.graph));
  TL_TRY(auto volumes, painted_volumes(executor, graph, painted.pipeline));
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
  t.patience = plan.patience;
  t.seed = plan.seed;
  return t;
}

}  // namespace tl::train
