// One training of `tomoloom train`: its network, its options, and its curves line by line.
#include "app/cli/training/training.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/train/training_history.h"

namespace tl::cli {
namespace {

// The value that a word of an option stands for; the command line has checked the word.
template <class T>
void set_choice(T& to, const std::string& word) {
  to = choice_with_name(train::choices_of<T>(), word)->value;
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::string minutes_text(double seconds) {
  return seconds < 100 ? formatted("%.0f s", seconds) : formatted("%.0f min", seconds / 60);
}

std::string class_name(const LabelClass& c) { return c.name.empty() ? std::to_string(c.number) : c.name; }

void print_epoch_json(const train::TrainingProgress& p, const std::vector<LabelClass>& classes,
                      const std::string& what) {
  const train::EpochScores& e = p.curves.back();
  Json line{{"event", "epoch"},
            {"epoch", p.epoch},
            {"training_loss", finite_or_null(e.training_loss)},
            {"validation_loss", finite_or_null(e.validation_loss)},
            {"macro_f1", finite_or_null(e.macro_f1)},
            {"best", p.best},
            {"seconds_left", p.seconds_left}};
  if (!what.empty()) line["training"] = what;
  for (std::size_t c = 0; c < e.f1.size(); ++c)
    line["f1"].push_back({{"number", classes[c].number}, {"name", classes[c].name}, {"f1", finite_or_null(e.f1[c])}});
  print_json(line);
}

void print_epoch_text(const train::TrainingProgress& p, const std::vector<LabelClass>& classes, int64_t epochs,
                      const std::string& what) {
  const train::EpochScores& e = p.curves.back();
  std::string line =
      (what.empty() ? "" : what + ", ") + formatted("epoch %lld of %lld: loss %.4f, validation %.4f, macro F1 %.4f (",
                                                    static_cast<long long>(p.epoch), static_cast<long long>(epochs),
                                                    e.training_loss, e.validation_loss, e.macro_f1);
  for (std::size_t c = 0; c < e.f1.size(); ++c)
    line += (c == 0 ? "" : ", ") + class_name(classes[c]) + formatted(" %.3f", e.f1[c]);
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
                   ? "The same command with --resume continues from this file"
                   : "There is no checkpoint yet from which it could go on: the same command starts again";
  return error;
}

Result<train::TrainingOptions> training_options(const TrainArguments& o, const Cli& cli) {
  train::TrainingOptions t;
  set_choice(t.sampling.planes, o.planes);
  set_choice(t.sampling.axis, o.axis);
  t.sampling.edge = o.patch;
  set_choice(t.sampling.prior, o.prior);
  set_choice(t.sampling.masking, o.masking);
  train::Augmentation& a = t.sampling.augmentation;
  a.quarter_turns = a.mirrors = !o.no_turns;
  a.blur = o.blur;
  a.noise = o.noise;
  a.elastic = o.elastic;
  set_choice(t.loss, o.loss);
  set_choice(t.class_weights, o.class_weights);
  set_choice(t.optimiser.kind, o.optimiser);
  t.optimiser.rate = o.rate;
  t.optimiser.decay = o.decay;
  set_choice(t.schedule, o.schedule);
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
  options.warn = [](const std::string& text) { say(stderr, "warning: " + text); };
  return train::train(network, set, options);
}

}  // namespace tl::cli
