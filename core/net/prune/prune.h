// Pruning: a smaller network of a trained one, step by step, with training in between.
#pragma once

#include <filesystem>
#include <functional>

#include "core/base/cancel.h"
#include "core/net/prune/choose.h"

namespace tl::net {

struct PruneStep {
  int64_t step = 0;       // from 1
  double asked = 0;       // share of the network's edges that this step aims at
  int64_t kept = 0;       // edges that are left
  int64_t pruned = 0;     // by the method
  int64_t redundant = 0;  // removed with them, because nothing reaches them, or nothing that they reach is left
  int64_t paths = 0;      // removed by PruneMethod::lean
  // Of the choice of the method less than half would have been connected: the strongest whole chains were kept instead.
  bool whole_chains = false;
};

// By tensor, of its shape; only of those with removed filters among others.
using FilterMasks = std::map<std::string, at::Tensor>;

struct PruneOptions {
  PruneMethod method = PruneMethod::lean;
  double keep = 0.05;  // share of the edges, above 0 and below 1
  int64_t steps = 15;
  // After each step, to train what is left. It may change numbers of tensors, not shapes; of the history that it
  // begins, the last entry of all steps stays behind that of the pruning. Filter banks are full matrices: where a mask
  // is 0 a number belongs to a removed filter, and is set to 0 again afterwards.
  std::function<Result<void>(Network&, const FilterMasks&)> fine_tune;
  std::function<void(const PruneStep&, const Network&)> progress;  // after each step, with what it left
  std::string program;                                             // its version, for the history of the network
  // Written after each step but the last; none: nothing is kept. If it is there, the pruning goes on with it, and ends
  // with the same bits as one that was not ended; `progress` hears of the steps that are left.
  std::filesystem::path checkpoint;
  // What fine_tune() depends on, by name: a checkpoint with other settings is refused.
  std::map<std::string, std::string> training_settings;
  CancelToken cancel;
};

// The outcome for each edge of a layer with filters.
struct PrunedLayer {
  std::string name;
  bool prunable = true;
  std::vector<std::string> inputs;  // "relu3:0": layer and channel of each input channel
  at::Tensor norms;                 // double [out, in]: what the last choice went by that the edge was part of
  at::Tensor pruned_in_step;        // int32 [out, in]: 0 kept, n pruned in step n, -n redundant since step n
};

struct Pruned {
  Network network;
  int64_t edges = 0;  // prunable ones there were
  std::vector<PruneStep> steps;
  std::vector<PrunedLayer> layers;
};

// Step n keeps keep^(n / steps) of the edges; what went as redundant counts, so that the share of each step follows
// from what is left. Errors: invalid for numbers out of range, a network without tensors or with nothing to prune, a
// checkpoint that is damaged or of another pruning; io; cancelled; those of fine_tune.
Result<Pruned> prune(const Network& network, const PruneOptions& options);

}  // namespace tl::net
