// Waits briefly, then calls fdatasync().
#include "core/strokes/delayed_sync.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>

namespace tl::strokes {

DelayedSync::~DelayedSync() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void DelayedSync::changed(int handle) {
  const std::lock_guard lock(mutex_);
  handle_ = handle;
  dirty_ = true;
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  wake_.notify_all();
}

int DelayedSync::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void DelayedSync::run() {
  constexpr std::chrono::milliseconds pause(1500);
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return dirty_ || stopping_; });
    wake_.wait_for(lock, pause, [this] { return stopping_; });
    if (dirty_) {
      dirty_ = false;
      const int handle = handle_;
      lock.unlock();
      const int failure = fdatasync(handle) == 0 ? 0 : errno;
      lock.lock();
      if (failure_ == 0) failure_ = failure;
    }
    if (stopping_ && !dirty_) return;
  }
}

}  // namespace tl::strokes
