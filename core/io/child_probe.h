// Something risky tried in a child process first, so that a library that crashes or hangs on a damaged file takes no
// work with it.
#pragma once

#include <functional>

namespace tl::io {

// untried: no child could be started.
enum class ProbeOutcome { returned, crashed, hung, untried };

// Runs `body` in a forked child and says how it ended; it hangs when it takes more than `busy` seconds of the processor
// or `patience` seconds in all. Only the calling thread lives on in the child, so `body` must not
// start parallel work or take locks of other threads. What it changes in memory is lost; exceptions count as returned.
ProbeOutcome try_in_child(const std::function<void()>& body, unsigned int busy, unsigned int patience);

}  // namespace tl::io
