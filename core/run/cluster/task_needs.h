// The time and memory that a task of a cluster requests, from the forecast of its run.
#pragma once

#include <cstdint>

namespace tl {

// A request includes reserves for memory that a forecast does not include, and for slower machines.
inline constexpr double time_reserve = 3, memory_reserve = 1.25;

// The forecast needs of a task.
struct TaskNeeds {
  int64_t peak = 0;     // bytes
  double seconds = -1;  // below 0: not known
};

// The time limit to request: the forecast times time_reserve in whole minutes, rounded up, at least 10; 0 (the default
// of the partition) if the time is not known. At most 10 years.
int64_t minutes_for(const TaskNeeds& needs);
// The bytes to request: the peak times memory_reserve, at least 1 GiB.
int64_t memory_for(const TaskNeeds& needs);

}  // namespace tl
