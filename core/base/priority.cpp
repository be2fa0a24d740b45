// Lowers the priority of a thread by its nice value, which on Linux is per thread and inherited by new threads.
#include "core/base/priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tl {

void lower_thread_priority([[maybe_unused]] BackgroundWork work) {
#ifdef __linux__
  // Five steps make a third of the share, also relative to other programs.
  const int nice_value = work == BackgroundWork::pictures ? 5 : 10;
  const auto self = static_cast<id_t>(::syscall(SYS_gettid));
  // A program that was started with a lower priority keeps it.
  if (::getpriority(PRIO_PROCESS, self) < nice_value) (void)::setpriority(PRIO_PROCESS, self, nice_value);
#endif
}

}  // namespace tl
