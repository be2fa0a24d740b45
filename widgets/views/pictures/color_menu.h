// Colour menu: the colour maps with samples of their colours.
#pragma once

#include <QIcon>
#include <functional>

#include "widgets/text/color_map.h"

class QWidget;

namespace tl::ui {

QIcon color_map_icon(ColorMap map);
// Opens a menu at `at` (global), with `now` marked; calls `choose` with the user's choice.
void open_color_menu(QWidget& parent, QPoint at, ColorMap now, const std::function<void(ColorMap)>& choose);

}  // namespace tl::ui
