// Choices: the values that a setting may take, each with its word in files and its text on screen.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tl {

template <class T>
struct ChoiceOf {
  T value;
  std::string name;   // in files: "shepp_logan"
  std::string title;  // on screen: "Shepp-Logan"
};

// Choices in the order in which they are shown. They are found by value or by name, never by position.
template <class T>
using Choices = std::vector<ChoiceOf<T>>;

// nullptr if no choice has this value or name.
template <class T, class Value>
const ChoiceOf<T>* choice_with_value(const Choices<T>& choices, const Value& value) {
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.value == value; });
  return found == choices.end() ? nullptr : &*found;
}
template <class T>
const ChoiceOf<T>* choice_with_name(const Choices<T>& choices, std::string_view name) {
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.name == name; });
  return found == choices.end() ? nullptr : &*found;
}

}  // namespace tl
