// PaintSettings: the active painting tool, and its size.
#pragma once

#include <QString>
#include <optional>

namespace tl::ui {

enum class PaintTool { brush, ball, eraser, lasso, fill };
QString paint_tool_name(PaintTool tool);

struct PaintSettings {
  std::optional<PaintTool> tool;      // none: the left button does not paint
  PaintTool last = PaintTool::brush;  // the tool that the key W selects again
  int size = 12;                      // diameter, in voxels
  bool thresholded = false;           // brush and ball: paint only values close to the one at the first click
  double tolerance = 0.15;            // allowed difference: a fraction of the grey window
  friend bool operator==(const PaintSettings&, const PaintSettings&) = default;
};

inline constexpr int smallest_brush = 1, largest_brush = 400;
// The next larger or smaller size: steps of one voxel for small sizes, of a tenth for larger ones.
int next_size(int size, int direction);

}  // namespace tl::ui
