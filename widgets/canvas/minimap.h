// Minimap: the whole pipeline in a corner with the visible area; a click or a drag scrolls there.
#pragma once

#include <QWidget>

#include "widgets/canvas/canvas_view.h"

namespace tl::ui {

class Minimap final : public QWidget {
  Q_OBJECT
 public:
  Minimap(CanvasScene& scene, CanvasView& view, QWidget* parent);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] QTransform to_map() const;
  void go_to(const QPointF& at);
  CanvasScene& scene_;
  CanvasView& view_;
};

}  // namespace tl::ui
