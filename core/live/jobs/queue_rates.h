// QueueRates: the rates of a queue, which its runs and its forecasts share.
#pragma once

#include <mutex>

#include "core/live/rates.h"

namespace tl::jobs {

// Any thread.
class QueueRates {
 public:
  [[nodiscard]] live::Rates get() const {
    const std::lock_guard lock(mutex_);
    return rates_;
  }
  void set(const live::Rates& rates) {
    const std::lock_guard lock(mutex_);
    rates_ = rates;
  }
  void learn(const RunReport& run, const Registry& registry, const Graph& graph) {
    const std::lock_guard lock(mutex_);
    rates_.learn(run, registry, graph);
  }

 private:
  mutable std::mutex mutex_;
  live::Rates rates_;
};

}  // namespace tl::jobs
