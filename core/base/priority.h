// Priority of threads: work that nobody waits for gives way to the window.
#pragma once

namespace tl {

// From now on this thread, and those that it starts, get a third of what a thread of usual priority gets: a window that
// shares the cores with a computation keeps answering. Costs nothing where cores are idle; a lower priority stays. Does
// nothing where the system has no such priority for threads (only Linux has).
void lower_thread_priority();

}  // namespace tl
