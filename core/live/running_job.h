// A running job of the compute thread, as tracked by the queue of requests.
#pragma once

#include "core/live/requests.h"

namespace tl::live {

struct Requests::Guard::Running {
  Job job;
  CancelToken token;
  Clock::time_point started = Clock::now();
  std::optional<Clock::time_point> ends;  // for an image: deadline at which it is cancelled
  bool superseded = false;
};

}  // namespace tl::live
