// Helpers of the compute thread: exceptions as errors, and executor options for one call.
#pragma once

#include <utility>

#include "core/run/common/caught_error.h"
#include "core/run/executor.h"

namespace tl::live {

// The result of `work`; an exception becomes an error.
template <class F>
auto guarded(F work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    return caught_error();
  }
}

// Sets the executor's call options until the end of the scope.
class ScopedCallOptions {
 public:
  ScopedCallOptions(Executor& executor, CallOptions options)
      : executor_(executor), before_(executor.use(std::move(options))) {}
  ~ScopedCallOptions() { executor_.use(std::move(before_)); }
  ScopedCallOptions(const ScopedCallOptions&) = delete;
  ScopedCallOptions& operator=(const ScopedCallOptions&) = delete;

 private:
  Executor& executor_;
  CallOptions before_;
};

}  // namespace tl::live
