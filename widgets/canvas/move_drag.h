// MoveDrag: drags cards, frames and the corners of frames; a card dropped on a link is inserted into it.
#pragma once

#include <optional>

#include "widgets/canvas/canvas_scene.h"

namespace tl::ui {

enum class Snap { free, grid };
inline constexpr double grid_step = 20;  // px, pitch of the grid of dots and of snapping

class MoveDrag final {
 public:
  explicit MoveDrag(CanvasScene& scene) : scene_(scene) {}

  void begin_cards(const QPointF& at);  // the selected cards
  void begin_frame(std::size_t frame, const QPointF& at);
  void begin_corner(std::size_t frame, const QPointF& at);
  [[nodiscard]] bool active() const { return what_ != What::nothing; }
  void follow(const QPointF& at, Snap snap);
  void finish();  // adds one undo step if anything moved
  void cancel();

 private:
  enum class What { nothing, cards, frame, corner };
  void take(const QStringList& nodes);
  [[nodiscard]] QMap<QString, QPointF> places() const;
  [[nodiscard]] std::optional<Link> link_below(const QPointF& at) const;
  CanvasScene& scene_;
  What what_ = What::nothing;
  QPointF start_;
  QMap<QString, QPointF> from_;
  std::size_t frame_ = 0;
  QRectF frame_area_;
  std::optional<Link> onto_;
  bool moved_ = false;
};

}  // namespace tl::ui
