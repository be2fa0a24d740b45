// BackgroundCalls: one call at a time on a thread of its own, so that a result is written while the next is computed.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/error.h"

namespace tl::io {

// Used by one thread. Its own thread is started by the first start(). Calls should not use parallel loops of torch:
// they get only one thread there, because the cores are busy computing.
class BackgroundCalls {
 public:
  BackgroundCalls() = default;
  BackgroundCalls(const BackgroundCalls&) = delete;
  BackgroundCalls& operator=(const BackgroundCalls&) = delete;
  // Waits for the current call; its error is lost.
  ~BackgroundCalls();

  // Waits for the previous call and returns its error or rethrows its exception; after success, begins `call`. Objects
  // that `call` refers to must live until the next wait().
  Result<void> start(std::function<Result<void>()> call);
  // Waits until no call is running.
  Result<void> wait();

 private:
  void run();

  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<Result<void>()> call_;  // empty: nothing is under way
  std::optional<Error> error_;
  std::exception_ptr thrown_;
  bool stopping_ = false;
};

}  // namespace tl::io
