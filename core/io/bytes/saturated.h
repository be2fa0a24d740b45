// Integers of any type as int32, for the numbers of labels.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

namespace tl::io {

// The nearest int32. Labels are always smaller than the largest int32 (max_label_numbers), so that values that did not
// fit are detected.
template <class T>
int32_t saturated(T value) {
  if (std::in_range<int32_t>(value)) return static_cast<int32_t>(value);
  return value < T{0} ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int32_t>::max();
}

}  // namespace tl::io
