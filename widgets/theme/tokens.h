// Tokens: the colours of all themes in one table; other files refer to colours only by token.
#pragma once

#include <QRgb>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace tl::ui {

enum class Token {
  background,  // of canvas, views and pages
  dock,        // of side panels
  bar,         // of header and status line
  raised,      // of fields, buttons, cards and menus
  line,        // between regions
  border,      // of fields, buttons, cards
  text,
  text_second,
  accent,
  good,
  busy,
  warning,
  error,
  learnable,
  accent_fill,  // background of the primary button
  on_accent,    // text on it
  selection,    // background of the selected row
  hover,        // background of the item under the mouse
};
inline constexpr std::size_t token_count = 18;

struct TokenSet {
  std::string_view name;                 // key in the settings: "dark"
  std::string_view title;                // on screen, before translation: "Dark"
  std::array<QRgb, token_count> colors;  // in the order of Token
};
// Dark, light, high contrast. Every text colour has a contrast of at least 4.5 on every background, of 7 in high
// contrast (tested).
std::span<const TokenSet> token_sets();

}  // namespace tl::ui
