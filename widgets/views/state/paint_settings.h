// PaintSettings: the active painting tool, and its size.
#pragma once

#include <QString>
#include <optional>

namespace tl::ui {

enum class PaintTool { brush, ball, eraser, lasso, fill };
QString paint_tool_name(PaintTool tool);

struct PaintSettings {
  std::optional<PaintTool> tool;      // none: the left button does not paint
  PaintTool last = PaintTool::brush;  // the tool that the key W takes up again
  int size = 12;                      // diameter, in voxels
  bool thresholded = false;           // brush and ball: only values near that under the first click
  double tolerance = 0.15;            // how near: a share of the grey window
  friend bool operator==(const PaintSettings&, const PaintSettings&) = default;
};

inline constexpr int smallest_brush = 1, largest_brush = 400;
// The next size up or down: steps of a voxel at first, of a tenth later.
int next_size(int size, int direction);

}  // namespace tl::ui
