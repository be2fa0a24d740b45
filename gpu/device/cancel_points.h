// CancelPoints: while one lives, every tensor operation of this thread looks at a cancel token before it starts.
#pragma once

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "core/base/cancel.h"

namespace tl {

// Operators look at their token between blocks; what is written as a sequence of tensor operations (estimates of noise,
// objectives, the way back through them) has no loop to look in. Throws Failure{cancelled} out of the operation that
// comes next. Costs about a microsecond an operation. Threads that the operation starts do not look.
class CancelPoints {
 public:
  explicit CancelPoints(const CancelToken& token);
  ~CancelPoints();
  CancelPoints(const CancelPoints&) = delete;
  CancelPoints& operator=(const CancelPoints&) = delete;

 private:
  const CancelToken* before_;
  c10::impl::IncludeDispatchKeyGuard included_;
};

}  // namespace tl
