// Tokens: the colours of every theme in one table; nothing else names a colour.
#pragma once

#include <QRgb>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace tl::ui {

enum class Token {
  background,  // of canvas, views and pages
  dock,        // of panels beside them
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
  accent_fill,  // behind the one button that matters
  on_accent,    // text on it
  selection,    // behind the chosen row
  hover,        // behind what the mouse is over
};
inline constexpr std::size_t token_count = 18;

struct TokenSet {
  std::string_view name;                 // in settings: "dark"
  std::string_view title;                // on screen, before translation: "Dark"
  std::array<QRgb, token_count> colors;  // in the order of Token
};
// Dark, light, high contrast. Every text colour has a contrast of at least 4.5 on every background (tested).
std::span<const TokenSet> token_sets();

// The colours of categories of nodes: told apart by people who do not see red or green (Okabe and Ito's hues,
// softened). A category that is not listed gets one of the same colours, always the same one.
QRgb category_rgb(std::string_view category);

}  // namespace tl::ui
