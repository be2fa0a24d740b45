// Checks the stop rules that all descent methods share: iterations, time, patience.
#pragma once

#include <chrono>
#include <limits>

#include "core/learn/learning.h"

namespace tl::learn {

class StopMonitor {
 public:
  explicit StopMonitor(const StopRules& rules) : rules_(rules) {}
  StopReason after(int64_t iteration, double best) {
    if (best < best_) {
      best_ = best;
      since_ = iteration;
    }
    if (iteration >= rules_.iterations) return StopReason::iterations;
    if (iteration - since_ >= rules_.patience) return StopReason::plateau;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return rules_.seconds > 0 && seconds >= rules_.seconds ? StopReason::time : StopReason::none;
  }

 private:
  StopRules rules_;
  double best_ = std::numeric_limits<double>::max();
  int64_t since_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tl::learn
