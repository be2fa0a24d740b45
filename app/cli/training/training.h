// Shared by the files of `tomoloom train`: arguments, data, and one training with its curves.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/cli/common/cli.h"
#include "app/cli/common/run_options.h"
#include "core/io/output/output_rules.h"
#include "core/net/network.h"
#include "core/train/train.h"

namespace tl::cli {

struct TrainArguments {
  std::vector<std::string> data, validation;
  std::string network = "msd depth=30", weights, output, checkpoint;
  std::string planes = "slices", axis = "z", prior = "voxels", masking = "none", split = "automatic";
  std::string loss = "cross_entropy", class_weights = "equal", optimiser = "adam", schedule = "constant";
  int64_t patch = 0, gap = 8, batch = 1, patience = 20, validation_samples = 32;
  std::optional<int64_t> epochs, steps, edge;
  double share = 0.2, blur = 0, noise = 0, elastic = 0, rate = 1e-3, decay = 0;
  std::optional<int64_t> unlabelled;
  int64_t seed = 1, seeds = 3;
  bool no_turns = false, resume = false, quick = false, full = false, published = false;
  RunFlags flags;
  std::set<std::string> given = {};  // names of the options that were given
};

// Volumes with their labels, split into training and validation; and the files read, which no output may replace.
struct TrainingData {
  train::TrainingSet set;
  io::ProtectedFiles files;
};
// From pairs of files, or from a pipeline in which labels are painted.
Result<TrainingData> read_training_data(const TrainArguments& o, const Cli& cli);

// The error of a training or pruning; after cancelling, its hint says how to continue.
Error with_resume_hint(Error error, const std::filesystem::path& checkpoint);

Result<train::TrainingOptions> training_options(const TrainArguments& o, const Cli& cli);

// Trains and prints the curves; `what` names the training if there are several.
Result<train::TrainingRecord> train_and_report(net::Network& network, const train::TrainingSet& set,
                                               train::TrainingOptions options, const std::string& what, const Cli& cli);

bool is_generated_case(const std::string& name);
// Trains on a generated case, and prints a table of scores on its test items.
Result<void> run_generated_case(const TrainArguments& o, const Cli& cli);

}  // namespace tl::cli
