// Number of threads of a parallel loop: as many as the free cores for a short one, the limit for a long one.
//
// If other programs keep the cores busy, a short loop has to wait until its second thread gets a core, which takes
// longer than the loop. In a long loop that wait is short, and two threads get a larger share of the cores than one:
// with four busy programs on two cores, back-projection takes six tenths of the time. Whether a loop is long follows
// from its last two runs.
#pragma once

#include <atomic>
#include <cstdint>

namespace tl::ops {

// [s] a loop with at least this processor time is long. Chosen from the measurements in benchmarks.md ("Threads next to
// busy programs"): a median filter of about 10 ms gained from a second thread, a Gaussian filter of three loops of
// about 3 ms lost.
inline constexpr double long_loop_s = 0.01;

// Measured times of one loop in the program: `units` are its indices, or any measure of its work. Any thread may use
// it.
class LoopHistory {
 public:
  constexpr LoopHistory() = default;
  // False before the first run. Of the last two runs the shorter one counts, as their work may differ greatly.
  [[nodiscard]] bool is_long(double units) const;
  void add(double units, double seconds);

 private:
  std::atomic<double> last_{0}, before_{0};  // [s] processor time per unit; 0: none
};

// Sets the number of threads for loops of the calling thread during its lifetime, and measures them. Inside a parallel
// loop, and inside another LoopThreads, it does nothing.
class LoopThreads {
 public:
  LoopThreads(LoopHistory& history, double units);
  ~LoopThreads();
  LoopThreads(const LoopThreads&) = delete;
  LoopThreads& operator=(const LoopThreads&) = delete;

 private:
  LoopHistory* history_ = nullptr;  // null: it does nothing
  double units_, begin_ = 0;
  int threads_ = 1, before_ = 0;  // before_: the number to restore at the end; 0: nothing was changed
};

}  // namespace tl::ops
