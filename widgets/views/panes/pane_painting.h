// PanePainting: painting in one pane: mouse and keys while a painting tool is active, the preview of the stroke, and
// the outline of the brush.
#pragma once

#include <QObject>
#include <QPointF>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "widgets/views/pictures/plane_view.h"
#include "widgets/views/state/painter.h"

class QKeyEvent;
class QPainter;

namespace tl::ui {

class PaintPreview;
class SlicePane;

// GUI thread only. Points are in coordinates of the pane [mm].
class PanePainting final : public QObject {
  Q_OBJECT
 public:
  explicit PanePainting(SlicePane& pane);  // a child of the pane

  [[nodiscard]] bool is_active() const;     // the left button paints
  [[nodiscard]] QString mode_text() const;  // while a tool is active: "painting class 1", "erasing"
  void press(QPointF point, Qt::KeyboardModifiers modifiers);
  void move(QPointF point);
  void release();
  bool key(const QKeyEvent& event);  // true: it was meant
  void change_size(int direction);
  void pick(QPointF point);  // the label at the point becomes the current one
  void interpolate();
  void paint(QPainter& painter, std::optional<QPointF> hover) const;  // outline of the brush, or path of the lasso

 private:
  // A stroke from press to release.
  struct Stroke {
    PaintTool tool = PaintTool::brush;
    Painter::Ground ground;
    PlaneView plane;
    double radius = 0;  // [mm]
    float number = 0;
    QString step;
    std::set<int64_t> locked;
    std::vector<QPointF> path;
    std::shared_ptr<PaintPreview> preview;
    std::optional<GreyRange> range;
    GreyPicture grey;  // grey values of the slice, if painting is limited to a range
  };
  [[nodiscard]] std::optional<Stroke> begun(PaintTool tool, QPointF point) const;
  void preview_path(QPointF from, QPointF to);
  void preview_polygon();
  void preview_region(QPointF point);
  [[nodiscard]] bool may_paint(int64_t row, int64_t col) const;
  template <class Inside>
  void preview_where(const QRectF& area, const Inside& inside);
  [[nodiscard]] strokes::VoxelSet covered() const;
  [[nodiscard]] double radius() const;
  SlicePane& pane_;
  std::optional<Stroke> stroke_;
};

// The path without points that change it by less than `tolerance`.
std::vector<QPointF> simplified(const std::vector<QPointF>& path, double tolerance);

}  // namespace tl::ui
