// Bitmap text for generated images: letters of 5 x 7 dots.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tl::picture {

// A bitmap, row 0 at the top; 1 = ink.
struct Bitmap {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> ink;
};

inline constexpr int64_t text_height = 9, letter_width = 6;  // including the space between lines and letters

// Renders one line, letter_width dots per letter. Supported are lower-case letters, digits and . , : + - = _ / % * ( )
// ^; capitals are shown as lower case, the micro sign as u, all others as a question mark.
Bitmap small_text(std::string_view text);

}  // namespace tl::picture
