// What a task of a cluster asks for, from the forecast of its run.
#pragma once

#include <cstdint>

namespace tl {

// A request has room for what a forecast does not see, and for slower machines.
inline constexpr double time_reserve = 3, memory_reserve = 1.25;

// What the run of a task needs by its forecast.
struct TaskNeeds {
  int64_t peak = 0;     // bytes
  double seconds = -1;  // below 0: not known
};

// The time limit to ask for: the forecast times time_reserve in whole minutes, rounded up, at least 10; 0 (the default
// of the partition) where the time is not known. Never above 10 years.
int64_t minutes_for(const TaskNeeds& needs);
// The bytes to ask for: the peak times memory_reserve, at least 1 GiB.
int64_t memory_for(const TaskNeeds& needs);

}  // namespace tl
