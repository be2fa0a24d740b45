// Pruning: a smaller network of a trained one, step by step, with training in between.
#pragma once

#include <filesystem>
#include <functional>

#include "core/base/cancel.h"
#include "core/net/prune/choose.h"

namespace tl::net {

struct PruneStep {
  int64_t step = 0;       // from 1
  double asked = 0;       // share of the network's edges that this step should keep
  int64_t kept = 0;       // edges that are left
  int64_t pruned = 0;     // by the method
  int64_t redundant = 0;  // removed as well, because they are no longer connected to the input or the output
  int64_t paths = 0;      // removed by PruneMethod::lean
  // Less than half of the method's choice would have been connected: the strongest whole chains were kept instead.
  bool whole_chains = false;
};

// Masks by tensor, in its shape; only for tensors from which some filters were removed.
using FilterMasks = std::map<std::string, at::Tensor>;

struct PruneOptions {
  PruneMethod method = PruneMethod::lean;
  double keep = 0.05;  // share of the edges to keep, above 0 and below 1
  int64_t steps = 15;
  // Called after each step, to train the remaining network. It may change the values of tensors, not shapes; of the
  // history entries that it adds in all steps, the last one is kept after that of the pruning. Filter banks are full
  // matrices: a number with mask 0 belongs to a removed filter, and is set to 0 again afterwards.
  std::function<Result<void>(Network&, const FilterMasks&)> fine_tune;
  std::function<void(const PruneStep&, const Network&)> progress;  // called after each step, with the remaining network
  std::string program;                                             // the program's version, for the network's history
  // Written after each step except the last; empty: no checkpoint. If the file exists, the pruning continues from it,
  // and gives the same bits as an uninterrupted one; `progress` is called for the remaining steps only.
  std::filesystem::path checkpoint;
  // Settings that influence fine_tune(), by name: a checkpoint with other settings is refused.
  std::map<std::string, std::string> training_settings;
  CancelToken cancel;
};

// The outcome for each edge of a layer with filters.
struct PrunedLayer {
  std::string name;
  bool prunable = true;
  std::vector<std::string> inputs;  // "relu3:0": layer and channel of each input channel
  at::Tensor norms;                 // double [out, in]: the score of each edge in the last choice that included it
  at::Tensor pruned_in_step;        // int32 [out, in]: 0 kept, n pruned in step n, -n redundant since step n
};

struct Pruned {
  Network network;
  int64_t edges = 0;  // prunable ones there were
  std::vector<PruneStep> steps;
  std::vector<PrunedLayer> layers;
};

// Step n keeps keep^(n / steps) of the edges; redundant edges count as removed, so that the share of each step is
// computed from the remaining ones. Errors: invalid for numbers out of range, a network without tensors or with nothing
// to prune, a checkpoint that is damaged or of another pruning; io; cancelled; those of fine_tune.
Result<Pruned> prune(const Network& network, const PruneOptions& options);

}  // namespace tl::net
