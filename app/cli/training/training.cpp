// One training of `tomoloom train`: its network, its options, and its curves line by line.
#include "app/cli/training/training.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tl::cli {
namespace {

using TrainingJson = nlohmann::ordered_json;

// The position of a word among others, which the command line has checked.
template <class Choice>
Choice choice_of(const std::string& word, std::initializer_list<const char*> words) {
  int index = 0;
  for (const char* w : words) {
    if (word == w) break;
    ++index;
  }
  return static_cast<Choice>(index);
}

TrainingJson finite_or_null(double value) { return std::isfinite(value) ? TrainingJson(value) : TrainingJson(); }

std::string minutes_text(double seconds) {
  char text[64];
  if (seconds < 100)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  return text;
}

std::string class_name(const LabelClass& c) { return c.name.empty() ? std::to_string(c.number) : c.name; }

void print_epoch_json(const train::TrainingProgress& p, const std::vector<LabelClass>& classes,
                      const std::string& what) {
  const train::EpochScores& e = p.curves.back();
  TrainingJson line{{"event", "epoch"},
                    {"epoch", p.epoch},
                    {"training_loss", finite_or_null(e.training_loss)},
                    {"validation_loss", finite_or_null(e.validation_loss)},
                    {"macro_f1", finite_or_null(e.macro_f1)},
                    {"best", p.best},
                    {"seconds_left", p.seconds_left}};
  if (!what.empty()) line["training"] = what;
  for (std::size_t c = 0; c < e.f1.size(); ++c)
    line["f1"].push_back({{"number", classes[c].number}, {"name", classes[c].name}, {"f1", finite_or_null(e.f1[c])}});
  std::printf("%s\n", line.dump(-1, ' ', false, TrainingJson::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

void print_epoch_text(const train::TrainingProgress& p, const std::vector<LabelClass>& classes, int64_t epochs,
                      const std::string& what) {
  const train::EpochScores& e = p.curves.back();
  char text[160];
  std::snprintf(text, sizeof text, "epoch %lld of %lld: loss %.4f, validation %.4f, macro F1 %.4f (",
                static_cast<long long>(p.epoch), static_cast<long long>(epochs), e.training_loss, e.validation_loss,
                e.macro_f1);
  std::string line = (what.empty() ? "" : what + ", ") + text;
  for (std::size_t c = 0; c < e.f1.size(); ++c) {
    std::snprintf(text, sizeof text, " %.3f", e.f1[c]);
    line += (c == 0 ? "" : ", ") + class_name(classes[c]) + text;
  }
  line += std::string(")") + (p.best ? ", best" : "");
  if (p.seconds_left > 0) line += ", at most " + minutes_text(p.seconds_left) + " left";
  say(stderr, line);
}

}  // namespace

Error with_resume_hint(Error error, const std::filesystem::path& checkpoint) {
  if (error.kind != ErrorKind::cancelled) return error;
  std::error_code failed;
  error.where = checkpoint.string();
  error.hint = std::filesystem::exists(checkpoint, failed)
                   ? "The same command with --resume goes on from this file"
                   : "There is no checkpoint yet from which it could go on: the same command starts again";
  return error;
}

Result<train::TrainingOptions> training_options(const TrainArguments& o, const Cli& cli) {
  train::TrainingOptions t;
  t.sampling.planes = choice_of<train::Planes>(o.planes, {"slices", "random"});
  t.sampling.axis = choice_of<int>(o.axis, {"z", "y", "x"});
  t.sampling.edge = o.patch;
  t.sampling.prior = choice_of<train::Prior>(o.prior, {"voxels", "classes"});
  t.sampling.masking = choice_of<train::Masking>(o.masking, {"none", "balanced"});
  train::Augmentation& a = t.sampling.augmentation;
  a.quarter_turns = a.mirrors = !o.no_turns;
  a.blur = o.blur;
  a.noise = o.noise;
  a.elastic = o.elastic;
  t.loss = choice_of<train::Loss>(o.loss, {"cross_entropy", "dice", "sum", "malis"});
  t.class_weights = choice_of<train::ClassWeights>(o.class_weights, {"equal", "balanced"});
  t.optimiser.kind = choice_of<train::OptimiserSettings::Kind>(o.optimiser, {"adam", "adamw", "sgd"});
  t.optimiser.rate = o.rate;
  t.optimiser.decay = o.decay;
  t.schedule = choice_of<train::RateSchedule>(o.schedule, {"constant", "cosine"});
  t.epochs = o.epochs.value_or(t.epochs);
  t.steps = o.steps.value_or(t.steps);
  t.batch = o.batch;
  t.patience = o.patience;
  t.validation_samples = o.validation_samples;
  t.seed = static_cast<uint64_t>(o.seed);
  t.cancel = cli.cancel;
  return t;
}

Result<train::TrainingRecord> train_and_report(net::Network& network, const train::TrainingSet& set,
                                               train::TrainingOptions options, const std::string& what,
                                               const Cli& cli) {
  options.progress = [&](const train::TrainingProgress& p) {
    if (cli.output_mode == OutputMode::json) print_epoch_json(p, set.classes, what);
    if (cli.output_mode == OutputMode::text) print_epoch_text(p, set.classes, options.epochs, what);
    return train::Next::go_on;
  };
  return train::train(network, set, options);
}

}  // namespace tl::cli
