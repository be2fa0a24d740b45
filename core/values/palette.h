// Colours that mean something, in the window and in drawings: of categories of nodes and of port types.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tl {

// 0xrrggbb. Distinguishable with colour blindness (Okabe and Ito's hues, softened). A category that is not in the table
// always gets the same one of these colours.
uint32_t category_rgb(std::string_view category);

// By the colour keys in the table of port types ("sky_blue"); nothing for "neutral", which is the text colour.
std::optional<uint32_t> data_rgb(std::string_view key);

}  // namespace tl
