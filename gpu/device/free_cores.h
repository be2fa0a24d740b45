// How many cores other programs leave free, from the kernel's counters, and how many threads follow from it.
#pragma once

#include <functional>
#include <string_view>

namespace tl {

// Counters of the cores that this process may use.
struct CoreSample {
  double time = 0;  // s, of a clock that never goes back
  double busy = 0;  // s since the machine was started, worked for any program, summed over these cores
  double own = 0;   // s, processor time of this process and of those that it started
  int cores = 0;    // 0: the counters could not be read
};

// `stat` is the text of /proc/stat, whose counters have `ticks` per second; may_use(n): whether this process may run on
// core n. Time that a hypervisor took counts as not busy: it would be taken from any number of threads. `time` and
// `own` stay 0.
CoreSample busy_cores(std::string_view stat, double ticks, const std::function<bool(int)>& may_use);

// Of this process, now.
CoreSample sample_cores();

// Cores that other programs left free between two samples, 0 to all of them; the time between them must not be 0.
double free_cores(const CoreSample& before, const CoreSample& now);

// Chooses the number of threads: the free cores, rounded, at least 1 and at most a limit. It is a function of the
// samples that it is given. Not to be used by several threads at a time.
class ThreadFollower {
 public:
  // Counters advance in steps of 10 ms: less time between samples says little, since one step of each core must not
  // change the number. After more time a program may have been idle, and the mean of all that time is not the state of
  // now.
  static constexpr double shortest = 0.08, longest = 2;  // s

  // `quota`: cores that control groups allow. `first`: a sample of before any work.
  ThreadFollower(int limit, double quota, const CoreSample& first);

  // The number of threads from `now` on. free_at_the_moment() is asked where there is no sample before, or one that is
  // too old or, at the first decision, too young. Without counters: the limit.
  int follow(const CoreSample& now, const std::function<double()>& free_at_the_moment);

  // Of all decisions; without any, the limit.
  [[nodiscard]] int fewest() const { return fewest_; }
  [[nodiscard]] int most() const { return threads_ == 0 ? limit_ : most_; }
  [[nodiscard]] double busiest() const { return busiest_; }  // most cores that others kept busy

 private:
  int decide(double free, int cores);

  int limit_, fewest_, most_ = 0, threads_ = 0;  // threads_ 0: not yet decided
  double quota_, busiest_ = 0;
  CoreSample last_;
};

}  // namespace tl
