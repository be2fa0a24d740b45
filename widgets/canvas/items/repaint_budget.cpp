// RepaintBudget: decides how many cards are repainted in a frame, by the time spent so far. It measures CPU time of the
// thread, so that load of other programs does not change what is painted.
#include "widgets/canvas/items/repaint_budget.h"

#include <ctime>

namespace tl::ui {
namespace {

constexpr int64_t max_ns = 5'000'000;           // [ns] of the 16 ms of a frame
constexpr int64_t max_wordless_ns = 8'000'000;  // these included
// Minimum number of cards per frame: repainting always advances, and a pipeline of a few cards is sharp immediately.
constexpr int always = 8;

int64_t thread_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}

}  // namespace

void RepaintBudget::begin_frame() {
  in_frame_ = true;
  late_ = false;
  taken_ = 0;
  began_ = thread_ns();
}

bool RepaintBudget::may_repaint_card() {
  if (!in_frame_) return true;
  const bool may = taken_ < always || thread_ns() - began_ < max_ns;
  ++taken_;
  late_ = late_ || !may;
  return may;
}

bool RepaintBudget::may_paint_wordless() const { return !in_frame_ || thread_ns() - began_ < max_wordless_ns; }

}  // namespace tl::ui
