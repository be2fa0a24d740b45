// Limits a reading process by the kernel: RLIMIT_DATA for memory and a CPU-time timer of the process.
#include "core/io/bytes/reader_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <ctime>
#include <fstream>
#include <limits>

namespace tl::io {
namespace {

constexpr double min_cpu_time = 1.5;  // of any request [s]
constexpr double slowest = 4e6;       // [bytes/s]: slower than any decompression filter

// One per process: a single thread of a reading process handles its requests.
struct ReaderLimits {
  bool active = false;
  timer_t timer{};
  double deadline = 0;            // on the CPU-time clock of the process [s]
  double unused = 0, looked = 0;  // unused part of the time for objects [s], and when it was computed
  int64_t base = 0, memory = std::numeric_limits<int64_t>::max();
};
ReaderLimits& limits_of_process() {
  static ReaderLimits limits;
  return limits;
}

// Present private memory of the process [bytes].
int64_t data_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t pages = 0;
  for (int i = 0; i < 6; ++i) file >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void set_deadline(double at) {
  ReaderLimits& limits = limits_of_process();
  limits.deadline = at;
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(at);
  when.it_value.tv_nsec = static_cast<long>(1e9 * (at - std::floor(at)));
  timer_settime(limits.timer, TIMER_ABSTIME, &when, nullptr);
}

// Adds CPU time, but no more than `most` that former calls have left unused.
void allow_unused_up_to(double most, double seconds) {
  ReaderLimits& limits = limits_of_process();
  if (!limits.active) return;
  const double now = processor_time(), before = std::max(0.0, limits.unused - (now - limits.looked));
  limits.looked = now;
  limits.unused = std::max(before, std::min(before + seconds, most));
  set_deadline(limits.deadline + limits.unused - before);
}

}  // namespace

void limit_this_process() {
  ReaderLimits& limits = limits_of_process();
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGXCPU;
  limits.active = timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &limits.timer) == 0;
  limits.base = data_bytes();
}

void allow_memory_for(int64_t file_bytes) {
  constexpr int64_t small = int64_t{128} << 20, most = int64_t{1} << 50;
  ReaderLimits& limits = limits_of_process();
  if (!limits.active) return;
  limits.memory = 2 * std::min(file_bytes, most) + small;
  if (!memory_is_bounded) return;
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, static_cast<rlim_t>(limits.base + limits.memory));
  setrlimit(RLIMIT_DATA, &limit);
}

int64_t allowed_memory() { return limits_of_process().memory; }

void allow_cpu_time(double seconds) {
  if (limits_of_process().active) set_deadline(processor_time() + seconds);
}
void allow_more_cpu_time(double seconds) {
  if (limits_of_process().active) set_deadline(limits_of_process().deadline + seconds);
}

void allow_cpu_time_for_object(double seconds) { allow_unused_up_to(min_cpu_time, seconds); }
void allow_cpu_time_for_piece(int64_t bytes) {
  constexpr double for_piece = 0.1;  // [s] without bytes
  const double seconds = for_piece + static_cast<double>(bytes) / slowest;
  allow_unused_up_to(std::max(min_cpu_time, seconds), seconds);
}

double cpu_time_for(int64_t bytes) { return min_cpu_time + static_cast<double>(bytes) / slowest; }

}  // namespace tl::io
