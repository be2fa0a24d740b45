// QueueRates: the rates of a queue, which its runs and its forecasts share. No array type and no Qt in this header.
#pragma once

#include <memory>
#include <mutex>

#include "core/graph/graph.h"

namespace tl {
struct RunReport;
}
namespace tl::live {
class Rates;
}

namespace tl::jobs {

// Any thread.
class QueueRates {
 public:
  QueueRates();
  ~QueueRates();
  QueueRates(const QueueRates&) = delete;
  QueueRates& operator=(const QueueRates&) = delete;
  [[nodiscard]] live::Rates get() const;
  void set(const live::Rates& rates);
  void learn(const RunReport& run, const Registry& registry, const Graph& graph);

 private:
  mutable std::mutex mutex_;
  const std::unique_ptr<live::Rates> rates_;
};

}  // namespace tl::jobs
