// Volumes and labels of `tomoloom train`: files of any format of volumes, or the examples of a pipeline.
#include "app/cli/training/training.h"
#include "core/graph/named_pipeline.h"
#include "core/run/record/protected_inputs.h"
#include "core/train/labelled_volumes.h"

namespace tl::cli {
namespace {

Result<std::vector<train::LabelledVolume>> read_examples(const TrainArguments& o, const Cli& cli,
                                                         io::ProtectedFiles& files) {
  TL_TRY(const Graph graph, pipeline_or_template(o.data[0], Registry::all()));
  files = inputs_of(graph, Registry::all());
  const auto sink = make_run_sink(cli);
  TL_TRY(const RunOptions options, make_run_options(cli, o.flags, *sink));
  Executor executor(Registry::all(), options);
  auto all = train::example_volumes(executor, graph, o.data[0]);
  sink->end();
  return all;
}

train::Split parse_split(const std::string& word) {
  return word == "volumes" ? train::Split::volumes : word == "blocks" ? train::Split::blocks : train::Split::automatic;
}

}  // namespace

Result<TrainingData> read_training_data(const TrainArguments& o, const Cli& cli) {
  TrainingData data;
  std::vector<train::LabelledVolume> training;
  if (o.data.size() == 1) {
    TL_TRY(training, read_examples(o, cli, data.files));
  } else {
    TL_TRY(training, train::read_pairs(o.data, data.files, cli.cancel));
  }
  TL_TRY(std::vector<train::LabelledVolume> validation, train::read_pairs(o.validation, data.files, cli.cancel));
  const train::SplitSettings settings{parse_split(o.split), o.share, o.gap, static_cast<uint64_t>(o.seed),
                                      o.unlabelled};
  TL_TRY(train::LabelledSet made, train::training_set_of(std::move(training), std::move(validation), settings));
  if (cli.output_mode == OutputMode::text)
    for (const std::string& warning : made.warnings) say(stderr, "warning: " + warning);
  data.set = std::move(made.set);
  return data;
}

}  // namespace tl::cli
