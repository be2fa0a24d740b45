// Thread priority: background computation yields to the GUI.
#pragma once

namespace tl {

// From now on this thread, and threads that it starts, get a third of the CPU share of a normal thread, so that a
// window stays responsive during a computation. No cost if cores are idle; an already lower priority stays. Does
// nothing on systems without per-thread priorities (all but Linux).
void lower_thread_priority();

// The same, but a third of the share of such a thread: for work of minutes or hours, while somebody waits
// for images.
void lower_thread_priority_for_long_work();

}  // namespace tl
