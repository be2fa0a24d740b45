// Tables with a row for each value of an enum; the first member of a row is its `value`.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/error.h"

namespace tl {

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

// For static_assert: whether there is one row for each value of the enum, in its order, up to the last one.
template <class Rows, class Enum>
constexpr bool has_rows_up_to(const Rows& rows, Enum last) {
  std::size_t count = 0;
  for (const auto& row : rows)
    if (static_cast<std::size_t>(row.value) != count++) return false;
  return count == static_cast<std::size_t>(last) + 1;
}

}  // namespace tl
