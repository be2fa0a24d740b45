// RepaintBudget: limits the time per frame for repainting cards. Cards beyond the limit are shown as last painted and
// repainted in a later frame.
#pragma once

#include <cstdint>

namespace tl::ui {

// GUI thread only. Outside of frames (export of drawings) there is no limit.
class RepaintBudget {
 public:
  void begin_frame();
  void end_frame() { in_frame_ = false; }
  // Counts one card to be repainted; false if it has to wait for another frame.
  [[nodiscard]] bool may_repaint_card();
  // Whether there is time to paint a card without text that has never been painted; otherwise an empty one is shown.
  [[nodiscard]] bool may_paint_wordless() const;
  // Whether a card had to wait in this frame.
  [[nodiscard]] bool is_late() const { return late_; }

 private:
  bool in_frame_ = false, late_ = false;
  int taken_ = 0;
  int64_t began_ = 0;  // [ns], CPU time of this thread
};

}  // namespace tl::ui
