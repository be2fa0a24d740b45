// Shared by the generated cases of `tomoloom train`: plans, one training, and tables of scores.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli/training/training.h"
#include "core/train/cases/generated_cases.h"

namespace tl::cli {

// The size given by --full, or by --quick, which is the default.
struct CasePlan {
  train::CaseSize size;
  std::string network;
  int64_t epochs, steps;
  double rate;
  int64_t patch;   // edge [px] of the training samples; 0: whole slices and planes
  int64_t planes;  // of the test
};

struct ScoreRow {
  std::string title;
  std::vector<std::pair<std::string, double>> values;
};
using ScoreRows = std::vector<ScoreRow>;

// Trains on the generated case o.data[0]; scores on its test items. Fibres: a row for the network trained on random
// planes, then one for the network trained on upright slices, each tested on random and on upright planes; for
// fibres-container, then Otsu's threshold within the tube, and of all voxels. Cells: softmax for half of the steps,
// softmax alone, and MALIS after it, each with Rand and pixel error, followed by the spread over the seeds.
Result<ScoreRows> generated_case_scores(const TrainArguments& o, const Cli& cli);

train::TrainingOptions case_options(const CasePlan& plan, const TrainArguments& o, const Cli& cli);

// A network of the plan, trained on samples of the set; `what` names this training in the output.
Result<net::Network> trained(const CasePlan& plan, const TrainArguments& o, const train::TrainingSet& set,
                             const train::Sampling& sampling, const std::string& what, const Cli& cli);

// Cells and membranes: softmax alone, and MALIS after it.
Result<ScoreRows> cells_scores(const TrainArguments& o, const CasePlan& plan, const Cli& cli);

}  // namespace tl::cli
