// What the parts of `tomoloom prune` share: its arguments, and its generated case.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/cli/training/training.h"
#include "core/net/prune/prune.h"

namespace tl::cli {

struct PruneArguments {
  std::string input, output, report, method = "lean";
  double keep = 0.05;
  int64_t steps = 15, seeds = 3;
  std::vector<std::string> data;  // to train with after each step
  int64_t epochs = 3;
  std::optional<int64_t> epoch_steps;
  std::optional<double> rate;
  bool quick = false, full = false;
  TrainArguments training;  // how the data are read, and the flags of outputs
};

// A method by the name that it has in reports.
net::PruneMethod method_named(const std::string& name);

bool is_generated_pruning_case(const std::string& name);
// Trains networks on a generated case, prunes them by several methods, and prints accuracy over the share of filters.
Result<void> run_pruning_case(const PruneArguments& o, const Cli& cli);
// The same for lean, norm and l1: the mean accuracy on test images of the steps that ask for 0.15 or less.
Result<std::map<net::PruneMethod, double>> pruning_case_accuracies(const PruneArguments& o, const Cli& cli);

}  // namespace tl::cli
