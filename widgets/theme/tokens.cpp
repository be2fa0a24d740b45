// Tokens: defines the colours of themes in a table.
#include "widgets/theme/tokens.h"

namespace tl::ui {
namespace {

// background dock bar raised line border | text text_second | accent good busy warning error learnable |
// accent_fill on_accent selection hover
constexpr std::array<TokenSet, 3> sets{{
    {"dark",
     "Dark",
     {0x16181c, 0x1a1d21, 0x1e2126, 0x262a31, 0x2b3037, 0x333842, 0xe6e8eb, 0x9aa3ad, 0x2fb7a6, 0x62b866, 0x56b4e9,
      0xe0a33a, 0xf2776f, 0xd68fb7, 0x1d776c, 0xffffff, 0x213038, 0x2c313a}},
    {"light",
     "Light",
     {0xeef0f3, 0xf7f8fa, 0xffffff, 0xffffff, 0xdfe3e8, 0xbfc6cf, 0x1c2024, 0x515b66, 0x0a6b60, 0x2a6e2e, 0x0b5f97,
      0x7d5200, 0xb3261e, 0x93386d, 0x0b7468, 0xffffff, 0xd6ecea, 0xe9edf1}},
    {"high_contrast",
     "High contrast",
     {0x000000, 0x000000, 0x000000, 0x101010, 0x8c8c8c, 0xffffff, 0xffffff, 0xf0f0f0, 0x00ffe0, 0x6dff70, 0x7fd0ff,
      0xffd23f, 0xff9a93, 0xffa6da, 0x00ffe0, 0x000000, 0x002e29, 0x222222}},
}};

}  // namespace

std::span<const TokenSet> token_sets() { return sets; }

}  // namespace tl::ui
