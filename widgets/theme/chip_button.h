// Chip buttons: the small buttons below lists and plots.
#pragma once

#include <QString>

class QToolButton;

namespace tl::ui {

// Without a parent: a layout gives it one. Its tip is its accessible name as well.
QToolButton* chip_button(const QString& text, const QString& tip);

}  // namespace tl::ui
