// HeardJob: records the reports of a job on its own thread, and waits for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "tests/support/patience.h"

namespace tl::test {

template <class Job>
struct HeardJob final : Job::Listener {
  using Progress = typename Job::Progress;
  using End = typename Job::End;
  std::mutex mutex;
  std::condition_variable changed;
  Progress last;
  std::optional<End> end;
  std::function<void(const Progress&)> hears;  // called on the thread of the job

  void progressed(Progress progress) override {
    if (hears) hears(progress);
    const std::lock_guard lock(mutex);
    last = std::move(progress);
    changed.notify_all();
  }
  void ended(End e) override {
    const std::lock_guard lock(mutex);
    end = std::move(e);
    changed.notify_all();
  }
  [[nodiscard]] bool wait(const std::function<bool()>& condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::milliseconds(patience_ms), condition);
  }
  [[nodiscard]] bool wait_for_end() {
    return wait([this] { return end.has_value(); });
  }
};

}  // namespace tl::test
