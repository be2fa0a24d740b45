// Work on the compute thread that must not let an exception escape, and options of the executor for one call.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "core/run/executor.h"

namespace tl::live {

// The result of `work`, or its exception as an error.
template <class F>
auto guarded(F work) -> decltype(work()) {
  try {
    return work();
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::device, "out of memory", {}, "Free the cache, or look at a smaller region"};
  } catch (const std::exception& error) {
    return Error{ErrorKind::internal, error.what(), {}, "This is a bug in Tomoloom: please report it."};
  }
}

// The executor works with these options until the end of the scope.
class InUse {
 public:
  InUse(Executor& executor, CallOptions options) : executor_(executor), before_(executor.use(std::move(options))) {}
  ~InUse() { executor_.use(std::move(before_)); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  Executor& executor_;
  CallOptions before_;
};

}  // namespace tl::live
