// Lowers the priority of a thread by its nice value, which on Linux is per thread and inherited by new threads.
#include "core/base/priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tl {

namespace {

// Five steps of niceness reduce the CPU share to a third, also relative to other programs.
constexpr int nice_value = 5, nice_value_of_long_work = 10;

void lower_to([[maybe_unused]] int nice) {
#ifdef __linux__
  const auto self = static_cast<id_t>(::syscall(SYS_gettid));
  // A program that was started with a lower priority keeps it.
  if (::getpriority(PRIO_PROCESS, self) < nice) (void)::setpriority(PRIO_PROCESS, self, nice);
#endif
}

}  // namespace

void lower_thread_priority() { lower_to(nice_value); }
void lower_thread_priority_for_long_work() { lower_to(nice_value_of_long_work); }

}  // namespace tl
