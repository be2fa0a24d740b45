// Minimap: the whole pipeline in a corner with the visible area; a click or a drag scrolls there.
#pragma once

#include <QTimer>
#include <QWidget>

#include "widgets/canvas/canvas_view.h"

namespace tl::ui {

// Placed in a corner of its parent without cards. If there are cards in all corners, it is hidden while the whole
// pipeline is visible, and otherwise translucent until the mouse is over it.
class Minimap final : public QWidget {
  Q_OBJECT
 public:
  Minimap(CanvasScene& scene, CanvasView& view, QWidget* parent);

  enum class Wanted { yes, no };
  void set_wanted(Wanted wanted);
  void update_position();
  [[nodiscard]] bool is_faded() const { return tone_ == Tone::faded; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  enum class Tone { full, faded };
  [[nodiscard]] QTransform to_map() const;
  [[nodiscard]] bool covers_card(const QRect& place) const;
  void go_to(const QPointF& at);
  CanvasScene& scene_;
  CanvasView& view_;
  Wanted wanted_ = Wanted::yes;
  Tone tone_ = Tone::full;
  bool is_dragged_ = false;  // it is not moved while the mouse drags on it
  QTimer position_timer_;    // it is moved only when the view has come to rest
};

}  // namespace tl::ui
