// CancelToken: a shared flag that long computations check between blocks.
#pragma once

#include <atomic>
#include <memory>

#include "core/base/error.h"

namespace tl {

// Copies share one flag. cancel() may be called from any thread and from a signal handler.
class CancelToken {
 public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() const { flag_->store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelled() const { return flag_->load(std::memory_order_relaxed); }
  // Throws Failure{cancelled} if cancel() was called: for loops inside operators.
  void check() const {
    if (cancelled()) throw Failure(tl::cancelled());
  }

 private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace tl
