// JobControl: what other threads ask of a job while it runs: to pause, to go on, to take the best so far, to end.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

#include "core/base/cancel.h"

namespace tl::train {

// Thread-safe. Calls return at once, but for wait_while_paused().
class JobControl {
 public:
  enum class Command { go_on, pause, take_best };
  void command(Command command);
  void cancel();  // ends a pause too
  [[nodiscard]] Command asked() const;
  [[nodiscard]] const CancelToken& token() const { return cancel_; }
  // Called on the thread of the job. Without a request to pause it returns 0 at once. Else it calls `paused`, waits for
  // another command or cancel(), calls `goes_on`, and returns the seconds that it took.
  double wait_while_paused(const std::function<void()>& paused, const std::function<void()>& goes_on);

 private:
  CancelToken cancel_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Command command_ = Command::go_on;
};

}  // namespace tl::train
