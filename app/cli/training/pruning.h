// Shared by the files of `tomoloom prune`: its arguments, and its generated case.
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
  std::vector<std::string> data;  // data for training after each step
  int64_t epochs = 3;
  std::optional<int64_t> epoch_steps;
  std::optional<double> rate;
  bool quick = false, full = false;
  TrainArguments training;  // options for reading the data, and for outputs
};

// A method by its name in reports.
net::PruneMethod method_named(const std::string& name);

bool is_generated_pruning_case(const std::string& name);
// Trains networks on a generated case, prunes them by several methods, and prints accuracy over the share of filters.
Result<void> run_pruning_case(const PruneArguments& o, const Cli& cli);
// Curves for lean, norm and l1: mean test accuracy over the steps that keep 0.15 of the filters or less.
Result<std::map<net::PruneMethod, double>> pruning_case_accuracies(const PruneArguments& o, const Cli& cli);

}  // namespace tl::cli
