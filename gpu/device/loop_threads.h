// How many threads a parallel loop gets: those that the free cores allow if it is short, the limit if it is long.
//
// Next to busy programs, a second thread of a short loop is waited for until it has a core, which takes longer than the
// loop. In a long loop that wait is little, and two threads get more of the cores than one: next to four busy programs
// on two cores back-projection takes six tenths of the time. How long a loop is follows from its last two runs.
#pragma once

#include <atomic>
#include <cstdint>

namespace tl::ops {

// From so much processor time on a loop is long. Chosen between works of the table in benchmarks.md ("Threads next to
// busy programs"): there a median filter of some 10 ms gained by a second thread, a Gaussian filter of three loops of
// some 3 ms lost.
inline constexpr double long_loop_s = 0.01;

// What the loop at one place of the program took: `units` are its indices, or any measure of its work. Any thread may
// use it.
class LoopHistory {
 public:
  constexpr LoopHistory() = default;
  // False before the first run. Runs of very different kinds at one place: the shorter of the last two counts.
  [[nodiscard]] bool is_long(double units) const;
  void add(double units, double seconds);

 private:
  std::atomic<double> last_{0}, before_{0};  // s of processor time per unit; 0: none
};

// Sets the number of threads of the calling thread's loops for its lifetime, and measures them. Within a parallel loop,
// and within another LoopThreads, it does nothing.
class LoopThreads {
 public:
  LoopThreads(LoopHistory& history, double units);
  ~LoopThreads();
  LoopThreads(const LoopThreads&) = delete;
  LoopThreads& operator=(const LoopThreads&) = delete;

 private:
  LoopHistory* history_ = nullptr;  // null: it does nothing
  double units_, begin_ = 0;
  int threads_ = 1, before_ = 0;  // before_: to be set again at the end; 0: nothing was changed
};

}  // namespace tl::ops
