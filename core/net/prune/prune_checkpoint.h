// PruneCheckpoint: all that a pruning needs to go on after a step as if it had never ended, in one file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/net/prune/prune.h"

namespace tl::net {

struct PruneCheckpoint {
  std::map<std::string, std::string> settings;  // that must be the same to go on, by name
  Network network;                              // that the last step left
  std::vector<PruneStep> steps;
  // By layer with filters: PrunedLayer::norms and fates of the first network.
  EdgeMatrices norms, fates;
  // Of the present network: edges that are left; of its channels, their numbers in the first one (int64).
  EdgeMatrices edges;
  std::map<std::string, at::Tensor> out, in;
  std::optional<HistoryEntry> last_training;  // that fine_tune() has added
};

// The file is replaced at once, or stays as it was. Errors: io.
Result<void> write_checkpoint(const PruneCheckpoint& checkpoint, const std::filesystem::path& file);

// Errors: io; invalid, `where` is the file: damaged, no checkpoint, or not of a pruning of `first`.
Result<PruneCheckpoint> read_prune_checkpoint(const std::filesystem::path& file, const Network& first);

}  // namespace tl::net
