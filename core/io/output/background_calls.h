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

// Used by one thread. The thread is started by the first start(). Calls should use no parallel loops of torch: they get
// one thread there, because the cores are computing.
class BackgroundCalls {
 public:
  BackgroundCalls() = default;
  BackgroundCalls(const BackgroundCalls&) = delete;
  BackgroundCalls& operator=(const BackgroundCalls&) = delete;
  // Waits for the call under way; its error is lost.
  ~BackgroundCalls();

  // Waits for the call before, returns its error or rethrows its exception; if there is none, begins `call`. What it
  // refers to must live until the next wait().
  Result<void> start(std::function<Result<void>()> call);
  // Waits until nothing is under way.
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
