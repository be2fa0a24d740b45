// QueueRates: the rates behind a lock.
#include "core/live/jobs/queue_rates.h"

#include "core/live/rates.h"

namespace tl::jobs {

QueueRates::QueueRates() : rates_(std::make_unique<live::Rates>()) {}
QueueRates::~QueueRates() = default;

live::Rates QueueRates::get() const {
  const std::lock_guard lock(mutex_);
  return *rates_;
}

void QueueRates::set(const live::Rates& rates) {
  const std::lock_guard lock(mutex_);
  *rates_ = rates;
}

void QueueRates::learn(const RunReport& run, const Registry& registry, const Graph& graph) {
  const std::lock_guard lock(mutex_);
  rates_->learn(run, registry, graph);
}

}  // namespace tl::jobs
