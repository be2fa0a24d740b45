// One table per choice.
#include "core/train/training_choices.h"

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
const Choices<OptimiserSettings::Kind>& choices_of() {
  static const Choices<OptimiserSettings::Kind> all = {{OptimiserSettings::Kind::adam, "adam", "Adam"},
                                                       {OptimiserSettings::Kind::adamw, "adamw", "AdamW"},
                                                       {OptimiserSettings::Kind::sgd, "sgd", "SGD"}};
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

}  // namespace tl::train
