// Runs calls on a thread of their own; errors and exceptions reach the next start() or wait().
#include "core/io/output/background_calls.h"

#include <utility>

#include "gpu/device/threads.h"

namespace tl::io {

BackgroundCalls::~BackgroundCalls() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Result<void> BackgroundCalls::start(std::function<Result<void>()> call) {
  TL_TRY(wait());
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  {
    const std::lock_guard lock(mutex_);
    call_ = std::move(call);
  }
  changed_.notify_all();
  return ok();
}

Result<void> BackgroundCalls::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !call_; });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (error_) return *std::exchange(error_, std::nullopt);
  return ok();
}

void BackgroundCalls::run() {
  keep_to_one_thread();
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || call_; });
    if (!call_) return;
    std::optional<Error> error;
    std::exception_ptr thrown;
    lock.unlock();
    try {
      if (const Result<void> done = call_(); !done.ok()) error = done.error();
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    call_ = nullptr;
    error_ = std::move(error);
    thrown_ = thrown;
    changed_.notify_all();
  }
}

}  // namespace tl::io
