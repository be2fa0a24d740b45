// One table per choice.
#include "core/train/training_choices.h"

namespace tl {

template <>
const Choices<train::Planes>& choices_of() {
  static const Choices<train::Planes> all = {{train::Planes::slices, "slices", "slices across z"},
                                             {train::Planes::omnidirectional, "random", "planes of all directions"}};
  return all;
}
template <>
const Choices<train::Prior>& choices_of() {
  static const Choices<train::Prior> all = {{train::Prior::voxels, "voxels", "voxels"},
                                            {train::Prior::classes, "classes", "classes"}};
  return all;
}
template <>
const Choices<train::Masking>& choices_of() {
  static const Choices<train::Masking> all = {{train::Masking::none, "none", "none"},
                                              {train::Masking::balanced, "balanced", "balanced"}};
  return all;
}
template <>
const Choices<train::Loss>& choices_of() {
  static const Choices<train::Loss> all = {{train::Loss::cross_entropy, "cross_entropy", "cross-entropy"},
                                           {train::Loss::dice, "dice", "Dice"},
                                           {train::Loss::sum, "sum", "sum of both"},
                                           {train::Loss::malis, "malis", "MALIS"}};
  return all;
}
template <>
const Choices<train::ClassWeights>& choices_of() {
  static const Choices<train::ClassWeights> all = {{train::ClassWeights::equal, "equal", "equal"},
                                                   {train::ClassWeights::balanced, "balanced", "balanced"}};
  return all;
}
template <>
const Choices<train::OptimiserSettings::Kind>& choices_of() {
  static const Choices<train::OptimiserSettings::Kind> all = {{train::OptimiserSettings::Kind::adam, "adam", "Adam"},
                                                              {train::OptimiserSettings::Kind::adamw, "adamw", "AdamW"},
                                                              {train::OptimiserSettings::Kind::sgd, "sgd", "SGD"}};
  return all;
}
template <>
const Choices<train::RateSchedule>& choices_of() {
  static const Choices<train::RateSchedule> all = {{train::RateSchedule::constant, "constant", "constant"},
                                                   {train::RateSchedule::cosine, "cosine", "cosine"}};
  return all;
}

const Choices<int64_t>& train::axis_choices() {
  static const Choices<int64_t> all = {{0, "z", "z"}, {1, "y", "y"}, {2, "x", "x"}};
  return all;
}

}  // namespace tl
