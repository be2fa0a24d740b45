// Linux gives every thread a nice value, which its children inherit.
#include "core/base/priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tl {

void give_way() {
#ifdef __linux__
  constexpr int nice_value = 5;  // a third of the share of a usual thread, other programs included
  const auto self = static_cast<id_t>(::syscall(SYS_gettid));
  (void)::setpriority(PRIO_PROCESS, self, nice_value);  // refused: all stays as it was
#endif
}

}  // namespace tl
