// The choices of a training, with their words in plans, histories and on the command line.
#pragma once

#include "core/base/choices.h"
#include "core/train/train.h"

namespace tl::train {

// Of the enumerations above, and of the axis of a sampling (int64_t).
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

}  // namespace tl::train
