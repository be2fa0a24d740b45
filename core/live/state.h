// State: the state of a node as shown in the window.
#pragma once

#include <string_view>

namespace tl::live {

// unconfigured: the node itself has an error; waiting: an upstream node has one. muted: also a node that needs the
// output of a muted node.
enum class State {
  unconfigured,
  waiting,
  ready,
  stale,
  queued,
  running,
  current,
  partial,
  failed,
  cancelled,
  bypassed,
  muted
};
std::string_view to_string(State state);

}  // namespace tl::live
