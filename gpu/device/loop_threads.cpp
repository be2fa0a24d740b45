// Chooses the number of threads of loops from the processor time that they took before.
#include "gpu/device/loop_threads.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <ctime>

#include "gpu/device/threads.h"

namespace tl::ops {
namespace {

// With busy programs (fewer threads than the limit), neither their time nor waiting asleep counts. Reading the
// processor time takes 0.3 us, ten times as long as the other clock.
double seconds_next_to(int fewer_threads) {
  timespec now{};
  clock_gettime(fewer_threads > 0 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

bool LoopHistory::is_long(double units) const {
  const double each = std::min(last_.load(std::memory_order_relaxed), before_.load(std::memory_order_relaxed));
  return each * units >= long_loop_s;
}

void LoopHistory::add(double units, double seconds) {
  if (!(units > 0)) return;
  const double each = seconds / units, last = last_.load(std::memory_order_relaxed);
  before_.store(last > 0 ? last : each, std::memory_order_relaxed);
  last_.store(each, std::memory_order_relaxed);
}

LoopThreads::LoopThreads(LoopHistory& history, double units) : units_(units) {
  const int limit = thread_limit();
  if (limit == 1 || !follows_free_cores()) return;
  follow_free_cores();
  freeze_thread_count();
  history_ = &history;
  threads_ = at::get_num_threads();
  if (threads_ < limit) {
    before_ = threads_;
    if (history.is_long(units)) at::set_num_threads(threads_ = limit);
  }
  begin_ = seconds_next_to(before_);
}

LoopThreads::~LoopThreads() {
  if (history_ == nullptr) return;
  // All threads have equal shares of the work.
  history_->add(units_, (seconds_next_to(before_) - begin_) * threads_);
  if (before_ > 0 && before_ != threads_) at::set_num_threads(before_);
  unfreeze_thread_count();
}

}  // namespace tl::ops
