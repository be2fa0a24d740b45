// Colour menu: one action per colour map.
#include "widgets/views/pictures/color_menu.h"

#include <QActionGroup>
#include <QMenu>

namespace tl::ui {

QIcon color_map_icon(ColorMap map) {
  constexpr int width = 48, height = 12;
  QImage image(width, height, QImage::Format_RGB32);
  for (int x = 0; x < width; ++x)
    for (int y = 0; y < height; ++y) image.setPixel(x, y, color_at(map, static_cast<double>(x) / (width - 1)));
  return QIcon(QPixmap::fromImage(image));
}

void open_color_menu(QWidget& parent, QPoint at, ColorMap now, const std::function<void(ColorMap)>& choose) {
  QMenu menu(&parent);
  auto* group = new QActionGroup(&menu);
  for (const ColorMap map : all_color_maps()) {
    QAction* action = menu.addAction(color_map_icon(map), color_map_name(map), &menu, [map, &choose] { choose(map); });
    action->setCheckable(true);
    action->setChecked(map == now);
    group->addAction(action);
  }
  menu.exec(at);
}

}  // namespace tl::ui
