// What the generated cases of `tomoloom train` share: plans, one training, tables of scores.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli/training.h"
#include "core/train/cases/generated_cases.h"

namespace tl::cli {

// What --full says, or what --quick does, which is the default.
struct CasePlan {
  train::CaseSize size;
  std::string network;
  int64_t epochs, steps;
  double rate;
  int64_t patch;   // edge of the samples that train; 0: whole slices and planes
  int64_t planes;  // of the test
};

struct ScoreRow {
  std::string title;
  std::vector<std::pair<std::string, double>> values;
};
void print_table(const std::vector<ScoreRow>& rows, const std::string& name, const Cli& cli);

train::TrainingOptions options_of(const CasePlan& plan, const TrainArguments& o, const Cli& cli);

// A network of the plan, trained on samples of the set; `what` names the training.
Result<net::Network> trained(const CasePlan& plan, const TrainArguments& o, const train::TrainingSet& set,
                             const train::Sampling& sampling, const std::string& what, const Cli& cli);

// Cells and membranes: softmax alone, and MALIS after it.
Result<void> run_cells(const TrainArguments& o, const CasePlan& plan, const Cli& cli);

}  // namespace tl::cli
