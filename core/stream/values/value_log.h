// ValueLog: what the numbers next to a scan were, by name.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/stream/frames/frame.h"

namespace tl::stream {

struct ValueSummary {
  std::string name, unit;
  int64_t count = 0;
  double first = 0, last = 0, lowest = 0, highest = 0, mean = 0;
};

// All functions may be called from any thread.
class ValueLog {
 public:
  void add(const NearbyValue& value);
  // By name and unit. Names beyond max_names are not counted.
  [[nodiscard]] std::vector<ValueSummary> summaries() const;

  static constexpr std::size_t max_names = 1000;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, ValueSummary> of_name_;
};

}  // namespace tl::stream
