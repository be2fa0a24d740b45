// Small text for pictures that programs write: letters of five by seven dots.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tl::picture {

// A field of dots, row 0 at the top; 1 where there is ink.
struct Dots {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> ink;
};

inline constexpr int64_t text_height = 9, letter_width = 6;  // with the space between lines and letters

// One line, letter_width dots per letter. Small letters, digits and . , : + - = _ / % * ( ) ^; capitals are shown
// small, the micro sign as u, anything else as a question mark.
Dots small_text(std::string_view text);

}  // namespace tl::picture
