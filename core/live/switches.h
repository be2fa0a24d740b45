// Switches: options that a user turns on and off in the studio and that affect the compute thread.
#pragma once

namespace tl::live {

struct Switches {
  bool thumbnails = true;  // images of nodes on their cards; missing ones are computed when the engine is idle
  friend bool operator==(const Switches&, const Switches&) = default;
};

}  // namespace tl::live
