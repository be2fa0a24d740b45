// Time and memory that a task requests.
#include "core/run/cluster/task_needs.h"

#include <algorithm>
#include <cmath>

namespace tl {
namespace {
constexpr int64_t min_minutes = 10, max_minutes = int64_t{10} * 366 * 24 * 60, min_memory = int64_t{1} << 30;
}

int64_t minutes_for(const TaskNeeds& needs) {
  if (!(needs.seconds >= 0)) return 0;
  const double minutes = std::ceil(time_reserve * needs.seconds / 60);
  return std::clamp(static_cast<int64_t>(std::min(minutes, static_cast<double>(max_minutes))), min_minutes,
                    max_minutes);
}

int64_t memory_for(const TaskNeeds& needs) {
  return std::max(min_memory, static_cast<int64_t>(memory_reserve * static_cast<double>(needs.peak)));
}

}  // namespace tl
