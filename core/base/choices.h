// Choices: the values that a setting may take, each with its word in files and its text on screen; and tables with a
// row for each value of an enum, whose first member is that `value`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl {

template <class T>
struct ChoiceOf {
  T value;
  std::string name;   // in files: "shepp_logan"
  std::string title;  // on screen: "Shepp-Logan"
};

// In the order in which they are shown. Found by value or by name, never by position.
template <class T>
using Choices = std::vector<ChoiceOf<T>>;

// nullptr if none of them has the value, or the name.
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

template <class Enum>
struct NamedValue {
  Enum value;
  std::string_view name;
};

template <class Rows, class Enum>
const auto& enum_row(const Rows& rows, Enum value) {
  for (const auto& row : rows)
    if (row.value == value) return row;
  TL_CHECK(false, "a table has no row for a value of its enum");
  return *std::begin(rows);
}

// For static_assert: one row for each value of the enum, in its order, of which this is the last.
template <class Rows, class Enum>
constexpr bool has_rows_up_to(const Rows& rows, Enum last) {
  std::size_t count = 0;
  for (const auto& row : rows)
    if (static_cast<std::size_t>(row.value) != count++) return false;
  return count == static_cast<std::size_t>(last) + 1;
}

}  // namespace tl
