// SearchAxis: one value that a tuned program is given, and what it may be: real numbers, integers, or a list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/tune/landscape.h"

namespace tl::tune {

// Coordinates of one choice, one for each axis: a real number, an integer, or the index of an item of a list.
using AxisPoint = std::vector<double>;

struct SearchAxis {
  enum class Kind { real, integer, list };
  std::string name;
  Kind kind = Kind::real;
  double low = 0, high = 1;        // real and integer: both belong to it
  std::vector<std::string> items;  // list: at least two, all different
  bool is_ordered = true;          // false for a list with an item that is not a number, or with another order

  // Reads "x=-5:5" (real), "n=1..8" (integer), "mode=a,b,c" (list; numbers in rising order count as ordered). A name
  // has letters, digits and underscores. Invalid with what is wrong: no name, an end that is not a finite number, a
  // range that does not rise, an item twice or empty, fewer than two values, more than 10 000 items.
  static Result<SearchAxis> parse(std::string_view text);

  [[nodiscard]] bool is_number() const { return kind != Kind::list; }
  // Of integers and lists.
  [[nodiscard]] int64_t count() const;
  // Range of a real or integer, number of steps of a list.
  [[nodiscard]] double range() const;
  // What the program is given: "-0.25", "3", "row".
  [[nodiscard]] std::string text_of(double coordinate) const;
  // In [0, 1], with integers and items at cell centres (search/reals.h).
  [[nodiscard]] double unit_of(double coordinate) const;
};

// Refuses two axes of one name, none, and more than 20 or 2^62 combinations of integers and items.
Result<void> check_axes(const std::vector<SearchAxis>& axes);

// The axes as a landscape: real numbers as 2^20 values each, fewer where 62 bits hold no more for all together.
Landscape landscape_of(const std::vector<SearchAxis>& axes);
bool has_reals(const std::vector<SearchAxis>& axes);
// A cell of that landscape as a point. Real numbers have about as many digits as a millionth of the range needs, so
// that what the program is given and what is recorded is the same number.
AxisPoint point_of(const std::vector<SearchAxis>& axes, const Landscape& landscape, int64_t cell);

}  // namespace tl::tune
