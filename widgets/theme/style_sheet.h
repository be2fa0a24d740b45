// Style sheet: the application's style sheet, generated from the tokens of the current theme.
#pragma once

#include <QString>

namespace tl::ui {

class Theme;
// Widgets choose a variant through dynamic properties: role = "header", "status", "dock", "page", "card", "error",
// "heading", "second", "badge", "chip", "tab", "flat", "fold", "large", "primary"; tone = "second", "good", "busy",
// "warning", "error", "learnable"; invalid = true.
// `pictures`: folder of the images that the style sheet refers to (chevron_down.png).
QString style_sheet(const Theme& theme, const QString& pictures);

}  // namespace tl::ui
