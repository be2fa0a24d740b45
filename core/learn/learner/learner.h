// The optimiser: minimises an objective of a graph over its learnable parameters, and judges the result.
#pragma once

#include <filesystem>

#include "core/io/output/output_rules.h"
#include "core/learn/learning_types.h"
#include "core/run/executor.h"

namespace tl::learn {

struct LearnOptions {
  Hooks hooks;
  // Every evaluation is written to this file; if a killed run is repeated with the same pipeline, settings and input,
  // the recorded evaluations are reused and the result is the same, bit for bit. Empty: no journal.
  std::filesystem::path journal;
  io::OutputRules rules;  // of the journal
  // Number of iterations on parts of the data after which the journal stores the state of the descent in place of the
  // gradients. The journal holds at most so many gradients and a few more vectors.
  int64_t checkpoint_every = 64;
};

// Runs on the executor's thread, with its device, memory and cancel token. Errors: those of check() and of the nodes;
// cancelled. A parameter that cannot be determined is not an error: its verdict reports it.
Result<Learned> learn(Executor& executor, const Registry& registry, const Graph& graph, const Settings& settings,
                      const LearnOptions& options = {});

// Whether the journal is from a run of the same pipeline, settings and input: learn() then continues that run.
Result<bool> can_resume_from(const std::filesystem::path& journal, Executor& executor, const Registry& registry,
                             const Graph& graph, const Settings& settings);

Result<Landscape> landscape(Executor& executor, const Registry& registry, const Graph& graph,
                            const LandscapeRequest& request);

// Compares gradients with central differences in the precision of the executor (use float64); `step` in natural steps.
Result<GradientCheck> check_gradients(Executor& executor, const Registry& registry, const Graph& graph,
                                      const Settings& settings, double step);

}  // namespace tl::learn
