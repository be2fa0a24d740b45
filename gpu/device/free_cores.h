// How many cores other programs leave free, from the kernel's counters, and the resulting number of threads.
#pragma once

#include <functional>
#include <string_view>

namespace tl {

// Counters of the cores that this process may use.
struct CoreSample {
  double time = 0;  // [s] of a monotonic clock
  double busy = 0;  // [s] since the machine was started, busy time for any program, summed over these cores
  double own = 0;   // [s] processor time of this process and of its child processes
  int cores = 0;    // 0: the counters could not be read
};

// `stat` is the text of /proc/stat, whose counters have `ticks` per second; may_use(n): whether this process may run on
// core n. Time taken by a hypervisor counts as not busy: it would be lost with any number of threads. `time` and `own`
// stay 0.
CoreSample busy_cores(std::string_view stat, double ticks, const std::function<bool(int)>& may_use);

// Of this process, now.
CoreSample sample_cores();

// Number of cores that other programs left free between two samples, 0 to all of them; the time between them must not
// be 0.
double free_cores(const CoreSample& before, const CoreSample& now);

// Chooses the number of threads: the number of free cores, rounded, at least 1 and at most a limit. It depends only on
// its samples. Not thread-safe.
class ThreadFollower {
 public:
  // Counters advance in steps of 10 ms: less time between samples says little, since one step of each core must not
  // change the number. After more time a program may have been idle, and the mean of all that time is not the state of
  // now.
  static constexpr double shortest = 0.08, longest = 2;  // s

  // `quota`: number of cores that control groups allow. `first`: a sample from before any work.
  ThreadFollower(int limit, double quota, const CoreSample& first);

  // The number of threads from `now` on. free_at_the_moment() is called if there is no previous sample, or one that is
  // too old or, at the first decision, too recent. Without counters: the limit.
  int follow(const CoreSample& now, const std::function<double()>& free_at_the_moment);

  // Over all decisions; without any, the limit.
  [[nodiscard]] int fewest() const { return fewest_; }
  [[nodiscard]] int most() const { return threads_ == 0 ? limit_ : most_; }
  [[nodiscard]] double busiest() const { return busiest_; }  // largest number of cores that others kept busy

 private:
  int decide(double free, int cores);

  int limit_, fewest_, most_ = 0, threads_ = 0;  // threads_ 0: not yet decided
  double quota_, busiest_ = 0;
  CoreSample last_;
};

}  // namespace tl
