// PruneCheckpoint: everything that a pruning needs to continue after a step as if uninterrupted, in one file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/net/prune/prune.h"

namespace tl::net {

struct PruneCheckpoint {
  std::map<std::string, std::string> settings;  // settings that must be equal in order to continue, by name
  Network network;                              // that the last step left
  std::vector<PruneStep> steps;
  // By layer with filters: PrunedLayer::norms and fates in the first network.
  EdgeMatrices norms, fates;
  // For the present network: remaining edges, and for its channels their numbers in the first network (int64).
  EdgeMatrices edges;
  std::map<std::string, at::Tensor> out, in;
  std::optional<HistoryEntry> last_training;  // that fine_tune() has added
};

// The file is replaced atomically; after an error it is unchanged. Errors: io.
Result<void> write_checkpoint(const PruneCheckpoint& checkpoint, const std::filesystem::path& file);

// Errors: io; invalid, `where` is the file: damaged, no checkpoint, or not of a pruning of `first`.
Result<PruneCheckpoint> read_prune_checkpoint(const std::filesystem::path& file, const Network& first);

}  // namespace tl::net
