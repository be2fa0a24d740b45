// Threads wait for each other without sleeping, because the waits are short.
#include "gpu/device/row_steps.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

// On a separate cache line.
struct alignas(64) Progress {
  std::atomic<std::size_t> done{0};  // steps
};

// False: another thread has ended all.
bool wait_for(const Progress& other, std::size_t steps, const std::atomic<bool>& ended) {
  // While other programs run, the thread that is waited for may have no core.
  constexpr int64_t tries = 2000;
  for (int64_t n = 0; other.done.load(std::memory_order_acquire) < steps; ++n) {
    if (ended.load(std::memory_order_relaxed)) return false;
    if (n >= tries) std::this_thread::yield();
  }
  return true;
}

}  // namespace

void run_row_steps(int64_t rows, const std::vector<RowStep>& steps, const CancelToken& cancel) {
  constexpr int64_t fewest_rows = 16;
  const int64_t parts = std::clamp<int64_t>(rows / fewest_rows, 1, threads_of_loop());
  std::vector<Progress> progress(static_cast<std::size_t>(parts));
  std::atomic<bool> ended{false};
  // All threads of an OpenMP team run at the same time, so that each may wait for the others (gpu/device/threads checks
  // that there is a team). If there are fewer threads than parts, a thread computes several parts as one.
  ops::parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
    const int64_t begin = rows * first / parts, end = rows * last / parts;
    try {
      for (std::size_t s = 0; s < steps.size(); ++s) {
        for (int64_t p = 0; p < parts; ++p) {
          const bool mine = p >= first && p < last;
          if (!mine && !wait_for(progress[static_cast<std::size_t>(p)], steps[s].waits_for, ended)) return;
        }
        cancel.check();
        steps[s].run(begin, end);
        for (int64_t p = first; p < last; ++p)
          progress[static_cast<std::size_t>(p)].done.store(s + 1, std::memory_order_release);
      }
    } catch (...) {
      ended.store(true, std::memory_order_relaxed);
      throw;
    }
  });
}

}  // namespace tl::ops
