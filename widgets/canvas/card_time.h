// CardTime: how much of a frame may go into painting cards anew. The others are shown as they were, and come later.
#pragma once

#include <cstdint>

namespace tl::ui {

// GUI thread only. Outside of frames (drawings for files) there is no limit.
class CardTime {
 public:
  void begin_frame();
  void end_frame() { in_frame_ = false; }
  // Counts a card that is painted anew; false: not in this frame.
  [[nodiscard]] bool take_one();
  // Some card had to wait since the frame began.
  [[nodiscard]] bool is_late() const { return late_; }

 private:
  bool in_frame_ = false, late_ = false;
  int taken_ = 0;
  int64_t began_ = 0;  // [ns] of this thread's processor time
};

}  // namespace tl::ui
