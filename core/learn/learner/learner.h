// The optimiser: descends an objective of a graph over its learnable parameters, and judges what it found.
#pragma once

#include <filesystem>

#include "core/io/output/output_rules.h"
#include "core/learn/learning_types.h"
#include "core/run/executor.h"

namespace tl::learn {

struct LearnOptions {
  Hooks hooks;
  // Every evaluation is written to this file; a run that was killed and begins again with the same pipeline, settings
  // and input answers from it, and ends with the same bits. Empty: none.
  std::filesystem::path journal;
  io::OutputRules rules;  // of the journal
  // Iterations on parts of the data after which the journal keeps where the descent stands instead of every gradient.
  // The journal holds at most so many gradients and a few more vectors.
  int64_t checkpoint_every = 64;
};

// Runs on the executor's thread, with its device, memory and cancel token. Errors: those of check() and of the nodes;
// cancelled. A parameter that cannot be found is not an error: its verdict says so.
Result<Learned> learn(Executor& executor, const Registry& registry, const Graph& graph, const Settings& settings,
                      const LearnOptions& options = {});

// Whether the journal is from a run of the same pipeline, settings and input: learn() then continues that run.
Result<bool> can_resume_from(const std::filesystem::path& journal, Executor& executor, const Registry& registry,
                             const Graph& graph, const Settings& settings);

Result<Landscape> landscape(Executor& executor, const Registry& registry, const Graph& graph,
                            const LandscapeRequest& request);

// Central differences in the precision of the executor (give it float64); `step` as a share of a natural step.
Result<GradientCheck> check_gradients(Executor& executor, const Registry& registry, const Graph& graph,
                                      const Settings& settings, double step);

}  // namespace tl::learn
