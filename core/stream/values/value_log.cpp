// Sums up numbers while they arrive.
#include "core/stream/values/value_log.h"

#include <algorithm>

namespace tl::stream {

void ValueLog::add(const NearbyValue& value) {
  const std::lock_guard lock(mutex_);
  const std::pair key(value.name, value.unit);
  auto at = of_name_.find(key);
  if (at == of_name_.end()) {
    if (of_name_.size() >= max_names) return;
    at = of_name_.emplace(key, ValueSummary{value.name, value.unit, 0, value.value, value.value, value.value, value.value})
             .first;
  }
  ValueSummary& s = at->second;
  ++s.count;
  s.last = value.value;
  s.lowest = std::min(s.lowest, value.value);
  s.highest = std::max(s.highest, value.value);
  s.mean += (value.value - s.mean) / static_cast<double>(s.count);
}

std::vector<ValueSummary> ValueLog::summaries() const {
  const std::lock_guard lock(mutex_);
  std::vector<ValueSummary> all;
  for (const auto& [key, summary] : of_name_) all.push_back(summary);
  return all;
}

}  // namespace tl::stream
