// Names the states of a node.
#include "core/live/notification.h"

namespace tl::live {

std::string_view to_string(State state) {
  switch (state) {
    case State::unconfigured:
      return "unconfigured";
    case State::waiting:
      return "waiting";
    case State::ready:
      return "ready";
    case State::stale:
      return "stale";
    case State::queued:
      return "queued";
    case State::running:
      return "running";
    case State::current:
      return "current";
    case State::partial:
      return "partial";
    case State::failed:
      return "failed";
    case State::cancelled:
      return "cancelled";
    case State::bypassed:
      return "bypassed";
    case State::muted:
      return "muted";
  }
  return "";
}

}  // namespace tl::live
