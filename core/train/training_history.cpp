// The words of settings, and the entry of a training.
#include "core/train/training_history.h"

#include "core/base/text.h"
#include "core/run/record/versions.h"

namespace tl::train {

template <>
const Choices<Planes>& choices_of() {
  static const Choices<Planes> all = {{Planes::slices, "slices", "slices across z"},
                                      {Planes::omnidirectional, "random", "planes of all directions"}};
  return all;
}
template <>
const Choices<Prior>& choices_of() {
  static const Choices<Prior> all = {{Prior::voxels, "voxels", "voxels"}, {Prior::classes, "classes", "classes"}};
  return all;
}
template <>
const Choices<Masking>& choices_of() {
  static const Choices<Masking> all = {{Masking::none, "none", "none"}, {Masking::balanced, "balanced", "balanced"}};
  return all;
}
template <>
const Choices<Loss>& choices_of() {
  static const Choices<Loss> all = {{Loss::cross_entropy, "cross_entropy", "cross-entropy"},
                                    {Loss::dice, "dice", "Dice"},
                                    {Loss::sum, "sum", "sum of both"},
                                    {Loss::malis, "malis", "MALIS"}};
  return all;
}
template <>
const Choices<ClassWeights>& choices_of() {
  static const Choices<ClassWeights> all = {{ClassWeights::equal, "equal", "equal"},
                                            {ClassWeights::balanced, "balanced", "balanced"}};
  return all;
}
template <>
const Choices<net::OptimiserSettings::Kind>& choices_of() {
  static const Choices<net::OptimiserSettings::Kind> all = {{net::OptimiserSettings::Kind::adam, "adam", "Adam"},
                                                            {net::OptimiserSettings::Kind::adamw, "adamw", "AdamW"},
                                                            {net::OptimiserSettings::Kind::sgd, "sgd", "SGD"}};
  return all;
}
template <>
const Choices<RateSchedule>& choices_of() {
  static const Choices<RateSchedule> all = {{RateSchedule::constant, "constant", "constant"},
                                            {RateSchedule::cosine, "cosine", "cosine"}};
  return all;
}

template <>
const Choices<int64_t>& choices_of() {
  static const Choices<int64_t> all = {{0, "z", "z"}, {1, "y", "y"}, {2, "x", "x"}};
  return all;
}

namespace {

std::string number_text(double value) { return formatted("%.9g", value); }

std::vector<std::string> item_names(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items)
    if (names.size() < net::max_of_each) names.push_back(net::without_folders(item.name));
  return names;
}

std::map<std::string, std::string> settings_in_words(const TrainingOptions& o, InitialWeights initial) {
  const Sampling& s = o.sampling;
  const Augmentation& a = s.augmentation;
  std::map<std::string, std::string> words{{"seed", std::to_string(o.seed)},
                                           {"initial weights", initial == InitialWeights::random ? "random" : "given"},
                                           {"planes", word_of(s.planes)},
                                           {"patch", s.edge == 0 ? "whole slices" : std::to_string(s.edge)},
                                           {"prior", word_of(s.prior)},
                                           {"masking", word_of(s.masking)},
                                           {"loss", o.own_loss ? "its own" : word_of(o.loss)},
                                           {"class weights", word_of(o.class_weights)},
                                           {"optimiser", word_of(o.optimiser.kind)},
                                           {"rate", number_text(o.optimiser.rate)},
                                           {"schedule", word_of(o.schedule)},
                                           {"most epochs", std::to_string(o.epochs)},
                                           {"steps of an epoch", std::to_string(o.steps)},
                                           {"batch", std::to_string(o.batch)},
                                           {"patience", std::to_string(o.patience)},
                                           {"validation samples", std::to_string(o.validation_samples)},
                                           {"turns", a.quarter_turns ? "yes" : "no"},
                                           {"mirrors", a.mirrors ? "yes" : "no"}};
  if (s.planes == Planes::slices) words["axis"] = word_of(s.axis);
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
