// Colours for printing on white paper: the light theme of the window (widgets/theme/tokens; a test compares them).
#pragma once

namespace tl::history::paper {

inline constexpr const char *ink = "#1c2024", *second = "#515b66", *line = "#dfe3e8", *border = "#bfc6cf",
                            *ground = "#eef0f3", *card = "#ffffff", *accent = "#0a6b60", *good = "#2a6e2e",
                            *warning = "#7d5200", *error = "#b3261e", *busy = "#0b5f97";

}  // namespace tl::history::paper
