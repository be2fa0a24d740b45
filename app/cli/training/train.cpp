// tomoloom train: a network learns from volumes with labels, from strokes in a pipeline, or from a generated case.
#include <ATen/core/Tensor.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/training/training.h"
#include "core/base/text.h"
#include "core/graph/named_pipeline.h"
#include "core/io/open_volume.h"
#include "core/io/volumes/label_table.h"
#include "core/train/checkpoint.h"
#include "core/train/network_to_train.h"
#include "core/train/training_history.h"

namespace tl::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* checkpoint_ending = ".checkpoint";

// The checkpoint from which a training can continue; none for one that ended.
Result<fs::path> checkpoint_for(const TrainArguments& o) {
  const fs::path file = o.checkpoint.empty() ? fs::path(o.output + checkpoint_ending) : fs::path(o.checkpoint);
  std::error_code error;
  if (!o.resume && fs::exists(file, error))
    return invalid("there is the checkpoint of a training that did not end", file.string(),
                   "Give --resume to continue it, or delete it to start again");
  return file;
}

std::string_view end_text(train::TrainingEnd end) {
  switch (end) {
    case train::TrainingEnd::all_epochs: return "all epochs";
    case train::TrainingEnd::patience: return "no better epoch came";
    case train::TrainingEnd::taken: return "the best was taken";
  }
  return "";
}

void print_end(const train::TrainingRecord& r, const TrainArguments& o, const Cli& cli) {
  const train::EpochScores& best = r.curves[static_cast<std::size_t>(r.best_epoch - 1)];
  if (cli.output_mode == OutputMode::json) {
    const Json line{{"event", "done"},           {"output", o.output},     {"best_epoch", r.best_epoch},
                    {"epochs", r.curves.size()}, {"steps", r.steps},       {"validation_loss", best.validation_loss},
                    {"macro_f1", best.macro_f1}, {"end", end_text(r.end)}, {"seconds", r.seconds}};
    print_json(line);
  } else if (cli.output_mode == OutputMode::text) {
    say(stdout, formatted("best epoch   %lld of %zu: validation loss %.4f, macro F1 %.4f (%s)",
                          static_cast<long long>(r.best_epoch), r.curves.size(), best.validation_loss, best.macro_f1,
                          std::string(end_text(r.end)).c_str()));
    say(stdout, "wrote " + o.output);
  }
}

// A single file is a pipeline, since a volume alone has no labels.
Result<void> check_data(const TrainArguments& o, const Cli& cli) {
  if (o.data.size() != 1 || pipeline_or_template(o.data[0], Registry::all()).ok()) return ok();
  if (!io::open_volume(o.data[0], {}, cli.cancel).ok()) return ok();
  return invalid("no labels are given for the volume", o.data[0],
                 "Give each volume and then its labels: VOLUME LABELS; or a pipeline in which labels are painted");
}

Result<void> run(const TrainArguments& o, const Cli& cli) {
  if (o.data.size() == 1 && is_generated_case(o.data[0])) {
    std::set<std::string> taken = {"DATA",    "--network", "--weights", "--output",   "--epochs",
                                   "--steps", "--rate",    "--batch",   "--patience", "--patch",
                                   "--seed",  "--quick",   "--full",    "--edge",     "--overwrite"};
    if (o.data[0] == "cells") taken.insert("--seeds");
    if (o.data[0].starts_with("fibres-")) taken.insert("--published");
    TL_TRY(refuse_others(o.given, std::move(taken), "the generated case " + o.data[0]));
    return run_generated_case(o, cli);
  }
  for (const char* name : {"--quick", "--full", "--published", "--edge", "--seeds"})
    if (o.given.count(name) != 0)
      return invalid("only generated cases have such a choice", name,
                     "Leave it out; --epochs and --steps set the length of a training");
  if (o.output.empty()) return invalid("no output file is given", "--output", "Give -o NAME.safetensors");
  TL_TRY(check_data(o, cli));
  TL_TRY(const fs::path checkpoint, checkpoint_for(o));
  TL_TRY(const TrainingData data, read_training_data(o, cli));
  const io::OutputRules rules = cli.files.rules(data.files);
  TL_TRY(rules.check(o.output, io::OutputKind::file));
  TL_TRY(rules.check(checkpoint, io::OutputKind::file));
  TL_TRY(net::Network network,
         train::network_to_train(o.network, o.weights, static_cast<int64_t>(data.set.classes.size()),
                                 data.set.training[0].volume.size(0)));
  TL_TRY(train::TrainingOptions options, training_options(o, cli));
  options.checkpoint = checkpoint;
  options.resume = o.resume ? train::Resume::if_there : train::Resume::no;
  const Result<train::TrainingRecord> trained = train_and_report(network, data.set, options, "", cli);
  if (!trained.ok()) return with_resume_hint(trained.error(), checkpoint);
  const train::TrainingRecord& record = trained.value();
  TL_TRY(train::write_network(network, o.output, rules));
  train::remove_checkpoint(checkpoint);
  print_end(record, o, cli);
  return ok();
}

void add_data_options(CLI::App& sub, Cli& cli, const std::shared_ptr<TrainArguments>& shared) {
  TrainArguments& o = *shared;
  cli.files
      .reads(sub.add_option("DATA", o.data,
                            "VOLUME LABELS VOLUME LABELS ...: files of any format of volumes; or a pipeline in which "
                            "labels are painted; or fibres-spheres, fibres-container, circles-squares, cells: "
                            "generated cases"),
             InputKind::volume)
      ->required();
  cli.files
      .reads(sub.add_option("--network", o.network,
                            "Name and settings as for tomoloom network, by default with the classes and inputs of the "
                            "data; or a network file (.safetensors, .onnx), whose training is continued"))
      ->capture_default_str();
  cli.files.reads(sub.add_option("--weights", o.weights, "Begin with the weights of that file (default: random ones)"));
  CLI::Option* output = sub.add_option("-o,--output", o.output, "The trained network (.safetensors, .onnx)");
  const OutputNames checkpoint = [shared](const fs::path& name) {
    return shared->checkpoint.empty() ? with_endings({checkpoint_ending})(name) : std::vector<fs::path>();
  };
  cli.files.writes(cli.files.writes(output), {.names = checkpoint, .existing = Existing::judged_by_command});
  cli.files.reads(
      sub.add_option("--validation", o.validation, "VOLUME LABELS ... for validation, instead of a part of the data"),
      InputKind::volume);
  sub.add_option("--split", o.split,
                 "Data for validation: volumes: some whole volumes; blocks: a block of each volume, apart from the "
                 "rest (default: volumes if there are several)")
      ->check(CLI::IsMember({"volumes", "blocks"}));
  sub.add_option("--share", o.share, "Share of the labelled voxels, or of the volumes, for validation")
      ->check(CLI::Range(0.01, 0.9))
      ->capture_default_str();
  sub.add_option("--gap", o.gap, "Voxels between training and validation blocks")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  sub.add_option("--unlabelled", o.unlabelled,
                 "The label value of unlabelled voxels (default: as in the table of classes)")
      ->check(CLI::Range(int64_t{0}, io::max_label_numbers - 1));
}

void add_sampling_options(CLI::App& sub, TrainArguments& o) {
  sub.add_option("--planes", o.planes, "slices: of one direction; random: planes of all directions")
      ->check(CLI::IsMember(train::words_of<train::Planes>()))
      ->capture_default_str();
  sub.add_option("--axis", o.axis, "Slices are perpendicular to it")
      ->check(CLI::IsMember(train::words_of<int64_t>()))
      ->capture_default_str();
  sub.add_option("--patch", o.patch, "Edge of patches, and of random planes (default: whole slices)")
      ->check(CLI::Range(1, 1 << 16));
  sub.add_option("--prior", o.prior, "classes: patches with rare classes are drawn as often as others")
      ->check(CLI::IsMember(train::words_of<train::Prior>()))
      ->capture_default_str();
  sub.add_option("--masking", o.masking, "balanced: each class gets as many pixels as the rarest one")
      ->check(CLI::IsMember(train::words_of<train::Masking>()))
      ->capture_default_str();
  sub.add_flag("--no-turns", o.no_turns, "Do not rotate samples by multiples of 90 degrees, nor mirror them");
  sub.add_option("--blur", o.blur, "Largest deviation of a blur of samples, in voxels")->check(CLI::Range(0.0, 20.0));
  sub.add_option("--noise", o.noise,
                 "Largest standard deviation of added noise, as a share of the standard deviation of the voxels")
      ->check(CLI::Range(0.0, 10.0));
  sub.add_option("--elastic", o.elastic, "Largest elastic displacement, in voxels")->check(CLI::Range(0.0, 50.0));
}

void add_learning_options(CLI::App& sub, TrainArguments& o) {
  sub.add_option("--loss", o.loss,
                 "cross_entropy, dice, or the sum of both; malis: for objects separated by the first class, to "
                 "continue a training with cross_entropy (--weights)")
      ->check(CLI::IsMember(train::words_of<train::Loss>()))
      ->capture_default_str();
  sub.add_option("--class-weights", o.class_weights, "balanced: rare classes weigh more in the cross-entropy")
      ->check(CLI::IsMember(train::words_of<train::ClassWeights>()))
      ->capture_default_str();
  sub.add_option("--optimiser", o.optimiser, "Update rule of the weights")
      ->check(CLI::IsMember(train::words_of<net::OptimiserSettings::Kind>()))
      ->capture_default_str();
  sub.add_option("--rate", o.rate, "Learning rate")->check(CLI::Range(1e-9, 100.0))->capture_default_str();
  sub.add_option("--schedule", o.schedule, "cosine: the rate falls to 0 by the last epoch")
      ->check(CLI::IsMember(train::words_of<train::RateSchedule>()))
      ->capture_default_str();
  sub.add_option("--decay", o.decay, "Decay of weights")->check(CLI::Range(0.0, 10.0));
  constexpr int64_t most = 10'000'000;
  sub.add_option("--epochs", o.epochs, "Most epochs (default: 100)")->check(CLI::Range(int64_t{1}, most));
  sub.add_option("--steps", o.steps, "Steps of an epoch (default: 100)")->check(CLI::Range(int64_t{1}, most));
  sub.add_option("--batch", o.batch, "Samples of a step")->check(CLI::Range(1, 4096))->capture_default_str();
  sub.add_option("--patience", o.patience, "Stop after this many epochs without a lower validation loss; 0: never")
      ->check(CLI::Range(int64_t{0}, most))
      ->capture_default_str();
  sub.add_option("--validation-samples", o.validation_samples, "Samples by which each epoch is judged")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  sub.add_option("--seed", o.seed,
                 "With the same number of threads (OMP_DYNAMIC=false keeps it), the same seed gives the same network")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
}

}  // namespace

void add_train(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand("train", "Train a network on volumes with labels, or on painted strokes");
  const auto o = std::make_shared<TrainArguments>();
  add_data_options(*sub, cli, o);
  add_sampling_options(*sub, *o);
  add_learning_options(*sub, *o);
  cli.files.writes(sub->add_option("--checkpoint", o->checkpoint,
                                   "The file from which a killed training goes on (default: next to the output, "
                                   "NAME.checkpoint)"),
                   {.existing = Existing::judged_by_command});
  sub->add_flag("--resume", o->resume,
                "Resume from the checkpoint, if there is one: with the same number of threads (OMP_DYNAMIC=false "
                "keeps it) the result is bit-identical to an uninterrupted training");
  sub->add_flag("--quick", o->quick, "For a generated case: small size (default)");
  sub->add_flag("--full", o->full, "For a generated case: the published size, for a large machine");
  sub->add_flag("--published", o->published,
                "For fibres: 20 strands of 0.09 of the radius and 20 spheres, matrix and tube of one grey; 14 epochs");
  sub->add_option("--seeds", o->seeds, "For cells: number of trainings to average over, with seeds from --seed on")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_option("--edge", o->edge, "For a generated case: edge length of its images or volumes in pixels")
      ->check(CLI::Range(16, 2048));
  sub->add_option("--max-memory", o->flags.memory,
                  "Memory of the whole program, for example 4GB (default: 80 % of what is available)");
  sub->add_flag("--overwrite", o->flags.overwrite, "Replace an output that exists");
  add_output_flags(*sub, cli);
  sub->callback([o, sub, &cli] {
    o->given = given_options(*sub);
    cli.command = [o](Cli& c) { return run(*o, c); };
  });
}

}  // namespace tl::cli
