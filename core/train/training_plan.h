// TrainingPlan: settings chosen before a training on painted labels, and the resulting curves. No array type in this
// header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/choices.h"
#include "core/base/error.h"
#include "core/net/architectures/architectures.h"

namespace tl::train {

enum class Planes {
  slices,           // of one direction
  omnidirectional,  // through a labelled voxel, randomly rotated; values interpolated linearly, labels nearest
};

// The choices of a setting, with their names in plans, histories and on the command line.
template <class T>
const Choices<T>& choices_of();

template <class T>
const std::string& word_of(const T& value) {
  return choice_with_value(choices_of<T>(), value)->name;
}
template <class T>
std::vector<std::string> words_of() {
  std::vector<std::string> names;
  for (const ChoiceOf<T>& c : choices_of<T>()) names.push_back(c.name);
  return names;
}

template <>
const Choices<Planes>& choices_of();

// Curves of one epoch.
struct EpochScores {
  double training_loss = 0, validation_loss = 0;
  std::vector<double> f1;  // for the validation samples, by class; NaN: the class neither occurs nor was predicted
  double macro_f1 = 0;
};

// Why a training ended: after all epochs, after epochs without improvement, or because the user took the best result.
enum class TrainingEnd { all_epochs, patience, taken };

// The epoch with the lowest validation loss, from 1; 0 before the first has ended.
int64_t best_epoch_of(const std::vector<EpochScores>& curves);

struct TrainingPlan {
  std::filesystem::path weights;  // file of the initial network; empty: a new one with random weights
  std::string network = "msd";    // architecture of a new network, one that is offered for training
  // Settings of the new network, by name: those that its architecture offers; others have its proposed values.
  std::map<std::string, int64_t> settings = {};
  Planes planes = Planes::slices;
  int64_t patch = 128;                // edge [voxel]; 0: whole slices, and planes as large as the volume
  int64_t epochs = 100, steps = 100;  // steps of an epoch
  int64_t batch = 1;                  // samples of a step
  int64_t patience = 20;              // ends after so many epochs without a lower validation loss; 0: never early
  double rate = 1e-3;
  double share = 0.2;  // share of the labelled voxels, or of the volumes, for validation
  int64_t gap = 8;     // distance between training and validation blocks [voxel]
  uint64_t seed = 1;
  friend bool operator==(const TrainingPlan&, const TrainingPlan&) = default;
};

// The value of a setting: as chosen, or as proposed.
int64_t chosen_setting(const TrainingPlan& plan, const net::Setting& setting);

// The new network in the words of network_to_train(): "msd depth=30".
std::string new_network_of(const TrainingPlan& plan);

// The options of `tomoloom train` for the same training, without their dashes.
std::map<std::string, std::string> words_of_plan(const TrainingPlan& plan);

// True if a training by `a` can be continued by `b`: the plans differ at most in when training ends.
bool can_resume_as(const TrainingPlan& a, const TrainingPlan& b);

std::string to_json_text(const TrainingPlan& plan);
// Errors: invalid: not written by to_json_text(), or numbers out of range.
Result<TrainingPlan> plan_from_json(const std::string& text);

}  // namespace tl::train
