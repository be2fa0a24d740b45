// Numbers in texts that scanners write, with the values that are believed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl::io {

// Smallest and largest value that is believed, both included.
struct Bounds {
  double low, high;
};

// What decimals follow: some programs write a comma where the computer's language has one.
enum class DecimalSign : uint32_t { point, point_or_comma };

// The number that a text is. Invalid, with `where`, if it is none or lies outside the bounds; `key` names it.
Result<double> stated_number(std::string_view text, const std::string& key, const std::string& where, Bounds bounds,
                             DecimalSign decimals);
// The same number as an integer. Invalid if it is none.
Result<int64_t> stated_integer(double value, const std::string& key, const std::string& where);

}  // namespace tl::io
