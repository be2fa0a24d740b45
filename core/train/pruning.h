// Pruning with training between steps, and its output files: shared by command line and studio.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/io/output/output_rules.h"
#include "core/net/prune/prune.h"
#include "core/train/train.h"

namespace tl::train {

struct TrainingBetween {
  const TrainingSet& set;
  std::string data;         // its name, for messages
  TrainingOptions options;  // for the training after each step; the masks are set each time
  std::function<Result<void>(net::Network&, const TrainingOptions&)> train;
};
// Sets `options` to train after each step; its checkpoint, if there is one, must be set before. `between.set` must
// outlive `options`. Errors: invalid: data with another number of classes.
Result<void> train_between(const net::Network& network, net::PruneOptions& options, const TrainingBetween& between);

struct PrunedFiles {
  std::filesystem::path network, report;  // no report: empty
};
// Writes both files or none. Errors: invalid, by the rules; io.
Result<void> write_pruned(const net::Network& network, const std::string& report, const PrunedFiles& files,
                          const io::OutputRules& rules);

}  // namespace tl::train
