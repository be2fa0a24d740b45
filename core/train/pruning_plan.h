// PruningPlan: settings chosen before a network is pruned, and results of each step. No array type in this header.
#pragma once

#include <filesystem>
#include <optional>

#include "core/net/prune/prune_method.h"
#include "core/train/training_plan.h"

namespace tl::train {

struct PruningPlan {
  std::filesystem::path network;  // to prune (.safetensors, .onnx)
  net::PruneMethod method = net::PruneMethod::lean;
  double keep = 0.05;  // share of the filters to keep, above 0 and below 1
  int64_t steps = 15;
  // For training after each step; 0 epochs: no training, and no labels are needed.
  int64_t epochs = 3, epoch_steps = 100;
  friend bool operator==(const PruningPlan&, const PruningPlan&) = default;
};

// Properties of the network after a step.
struct PrunedState {
  int64_t step = 0;            // 0: before pruning
  double asked = 1, kept = 1;  // shares of the filters
  int64_t filters = 0;
  int64_t parameters = 0;
  double operations = 0;      // per output pixel; NaN if the network's output is not a map
  bool whole_chains = false;  // see net::PruneStep
  // Scores on the validation samples after removing filters, before and after training; none: without labels.
  std::optional<EpochScores> cut, trained;
};

}  // namespace tl::train
