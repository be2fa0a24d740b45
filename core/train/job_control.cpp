// A command behind a mutex, and one thread that waits for it to change.
#include "core/train/job_control.h"

#include <chrono>

namespace tl::train {

void JobControl::command(Command command) {
  const std::lock_guard lock(mutex_);
  command_ = command;
  changed_.notify_all();
}

void JobControl::cancel() {
  const std::lock_guard lock(mutex_);
  cancel_.cancel();
  changed_.notify_all();
}

JobControl::Command JobControl::asked() const {
  const std::lock_guard lock(mutex_);
  return command_;
}

double JobControl::wait_while_paused(const std::function<void()>& paused, const std::function<void()>& goes_on) {
  if (asked() != Command::pause || cancel_.cancelled()) return 0;
  const auto from = std::chrono::steady_clock::now();
  paused();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return command_ != Command::pause || cancel_.cancelled(); });
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  goes_on();
  return seconds;
}

}  // namespace tl::train
