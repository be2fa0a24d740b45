// Checks the stop rules that all descent methods share: iterations, time, patience.
#pragma once

#include <chrono>
#include <limits>

#include "core/learn/learning_types.h"

namespace tl::learn {

class StopMonitor {
 public:
  // The best value so far, and its iteration.
  struct Standing {
    double best = std::numeric_limits<double>::max();
    int64_t since = 0;
  };
  explicit StopMonitor(const StopRules& rules) : rules_(rules) {}
  [[nodiscard]] const Standing& standing() const { return standing_; }
  void go_on_from(const Standing& standing) { standing_ = standing; }
  StopReason after(int64_t iteration, double best) {
    if (best < standing_.best) standing_ = {best, iteration};
    if (iteration >= rules_.iterations) return StopReason::iterations;
    if (iteration - standing_.since >= rules_.patience) return StopReason::plateau;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return rules_.seconds > 0 && seconds >= rules_.seconds ? StopReason::time : StopReason::none;
  }

 private:
  StopRules rules_;
  Standing standing_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tl::learn
