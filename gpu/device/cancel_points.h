// CancelPoints: while an object exists, every tensor operation of its thread first checks a cancel token, and uses as
// many threads as there are free cores.
#pragma once

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "core/base/cancel.h"

namespace tl {

// Operators check their token between blocks, but code that is a sequence of tensor operations (noise estimates,
// objectives, their backward passes) has no such loop. Once cancelled, the next operation throws Failure{cancelled}.
// Costs about a microsecond per operation. Threads started by an operation do not check.
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
