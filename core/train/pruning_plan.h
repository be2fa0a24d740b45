// PruningPlan: what is chosen before a network is pruned, and what each step gives. No array type in this header.
#pragma once

#include <filesystem>
#include <optional>

#include "core/net/prune/prune_method.h"
#include "core/train/training_plan.h"

namespace tl::train {

struct PruningPlan {
  std::filesystem::path network;  // to prune (.safetensors, .onnx)
  net::PruneMethod method = net::PruneMethod::lean;
  double keep = 0.05;  // share of the filters, above 0 and below 1
  int64_t steps = 15;
  // Of training after each step; no epochs: nothing is trained, and no labels are needed.
  int64_t epochs = 3, epoch_steps = 100;
  friend bool operator==(const PruningPlan&, const PruningPlan&) = default;
};

// Of the network that a step left.
struct PrunedState {
  int64_t step = 0;            // 0: before pruning
  double asked = 1, kept = 1;  // shares of the filters
  int64_t filters = 0;
  int64_t parameters = 0;
  double operations = 0;      // for each pixel of the output; NaN where the network's output is not a map
  bool whole_chains = false;  // see net::PruneStep
  // On the validation samples, with filters removed and before training, and after it; none: without labels.
  std::optional<EpochScores> cut, trained;
};

}  // namespace tl::train
