// A running job of the compute thread, as the queue of requests tracks it.
#pragma once

#include "core/live/requests.h"

namespace tl::live {

struct Requests::Guard::Running {
  Job job;
  CancelToken token;
  Clock::time_point started = Clock::now();
  std::optional<Clock::time_point> ends;  // of an image: deadline at which it is cancelled
  bool superseded = false;
};

}  // namespace tl::live
