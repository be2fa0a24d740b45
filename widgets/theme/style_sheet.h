// The style sheet of the whole application, generated from the tokens of the current theme.
#pragma once

#include <QString>

namespace tl::ui {

class Theme;
// Widgets choose a variant through dynamic properties: role = "header", "status", "dock", "page", "card", "error",
// "heading", "title", "second", "number", "chip", "tab", "flat", "primary", "badge"; tone = "good", "busy", "warning",
// "error", "learnable"; invalid = true.
QString style_sheet(const Theme& theme);

}  // namespace tl::ui
