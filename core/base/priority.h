// Thread priority: background computation yields to the GUI.
#pragma once

namespace tl {

// From now on this thread, and threads that it starts, get a third of the CPU share of a normal thread, so that a
// window stays responsive during a computation. No cost if cores are idle; a priority that is already lower is kept.
// Does nothing on systems without per-thread priorities (all but Linux).
void lower_thread_priority();

// Lowers the share by another factor of three: for work of minutes or hours while the user waits for
// images.
void lower_thread_priority_for_long_work();

}  // namespace tl
