// Thread priority: background computation yields to the GUI.
#pragma once

namespace tl {

enum class BackgroundWork {
  pictures,  // what somebody waits for: a third of the CPU share of a normal thread
  training,  // what goes on for minutes or hours: a third of that of pictures
};

// From now on this thread, and threads that it starts, yield to the window. No cost if cores are idle; an already lower
// priority stays. Does nothing on systems without per-thread priorities (all but Linux).
void lower_thread_priority(BackgroundWork work = BackgroundWork::pictures);

}  // namespace tl
