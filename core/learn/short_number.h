// short_number(): a number as text, with a given count of significant figures.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace tl::learn {

inline std::string short_number(double value, int figures = 3) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*g", figures, value);
  return text.data();
}

}  // namespace tl::learn
