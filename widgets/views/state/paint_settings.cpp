// PaintSettings: names of tools and steps of sizes.
#include "widgets/views/state/paint_settings.h"

#include <QCoreApplication>
#include <algorithm>

namespace tl::ui {

QString paint_tool_name(PaintTool tool) {
  switch (tool) {
    case PaintTool::brush: return QCoreApplication::translate("PaintTool", "Brush");
    case PaintTool::ball: return QCoreApplication::translate("PaintTool", "Ball, through several slices");
    case PaintTool::eraser: return QCoreApplication::translate("PaintTool", "Eraser");
    case PaintTool::lasso: return QCoreApplication::translate("PaintTool", "Lasso");
    case PaintTool::fill: return QCoreApplication::translate("PaintTool", "Fill a region");
  }
  return {};
}

int next_size(int size, int direction) {
  const int step = std::max(1, size / 10);
  return std::clamp(size + direction * step, smallest_brush, largest_brush);
}

}  // namespace tl::ui
