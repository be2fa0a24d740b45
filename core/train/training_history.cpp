// Settings of a training as words.
#include "core/train/training_history.h"

#include <array>
#include <cstdio>

#include "core/run/record/versions.h"

namespace tl::train {
namespace {

template <class Choice, std::size_t N>
std::string choice_word(Choice choice, const std::array<const char*, N>& words) {
  return words.at(static_cast<std::size_t>(choice));
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::vector<std::string> item_names(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items)
    if (names.size() < net::max_of_each) names.push_back(net::without_folders(item.name));
  return names;
}

std::map<std::string, std::string> settings_in_words(const TrainingOptions& o, InitialWeights initial) {
  const Sampling& s = o.sampling;
  const Augmentation& a = s.augmentation;
  std::map<std::string, std::string> words{
      {"seed", std::to_string(o.seed)},
      {"initial weights", initial == InitialWeights::random ? "random" : "given"},
      {"planes", choice_word(s.planes, std::array{"slices", "random"})},
      {"patch", s.edge == 0 ? "whole slices" : std::to_string(s.edge)},
      {"prior", choice_word(s.prior, std::array{"voxels", "classes"})},
      {"masking", choice_word(s.masking, std::array{"none", "balanced"})},
      {"loss", o.own_loss ? "its own" : choice_word(o.loss, std::array{"cross_entropy", "dice", "sum", "malis"})},
      {"class weights", choice_word(o.class_weights, std::array{"equal", "balanced"})},
      {"optimiser", choice_word(o.optimiser.kind, std::array{"adam", "adamw", "sgd"})},
      {"rate", number_text(o.optimiser.rate)},
      {"schedule", choice_word(o.schedule, std::array{"constant", "cosine"})},
      {"most epochs", std::to_string(o.epochs)},
      {"steps of an epoch", std::to_string(o.steps)},
      {"batch", std::to_string(o.batch)},
      {"patience", std::to_string(o.patience)},
      {"validation samples", std::to_string(o.validation_samples)},
      {"turns", a.quarter_turns ? "yes" : "no"},
      {"mirrors", a.mirrors ? "yes" : "no"}};
  if (s.planes == Planes::slices) words["axis"] = std::array{"z", "y", "x"}.at(static_cast<std::size_t>(s.axis));
  for (const auto& [name, value] : {std::pair("blur", a.blur), std::pair("noise", a.noise),
                                    std::pair("elastic", a.elastic), std::pair("decay", o.optimiser.decay)})
    if (value > 0) words[name] = number_text(value);
  return words;
}

}  // namespace

net::HistoryEntry history_entry_of(const TrainingSet& set, const TrainingOptions& options, const TrainingRecord& record,
                                   InitialWeights initial) {
  net::HistoryEntry e;
  e.kind = "training";
  e.program = version();
  e.settings = settings_in_words(options, initial);
  e.training_data = item_names(set.training);
  e.validation_data = item_names(set.validation);
  e.results = {{"epochs", static_cast<double>(record.curves.size())},
               {"steps", static_cast<double>(record.steps)},
               {"best epoch", static_cast<double>(record.best_epoch)},
               {"volumes", static_cast<double>(set.training.size())}};
  const EpochScores& best = record.curves.at(static_cast<std::size_t>(record.best_epoch - 1));
  e.results["training loss"] = best.training_loss;
  if (set.validation.empty()) return e;
  e.results["validation loss"] = best.validation_loss;
  e.results["macro F1"] = best.macro_f1;
  for (std::size_t c = 0; c < best.f1.size() && c < set.classes.size(); ++c) {
    const LabelClass& l = set.classes[c];
    e.f1.emplace_back(l.name.empty() ? std::to_string(l.number) : l.name, best.f1[c]);
  }
  return e;
}

}  // namespace tl::train
