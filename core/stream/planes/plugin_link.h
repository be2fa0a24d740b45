// PluginLink: planes that go to a plug-in of RECAST3D, and come back changed.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/stream/planes/plane.h"

namespace tl::stream {

struct PluginOptions {
  std::string address;  // where the plug-in waits: "tcp://127.0.0.1:5652"
  std::string back;     // where its results are taken: "tcp://127.0.0.1:5555"
  // Called on the link's thread with a plane that came back: with the name and the window of the last plane of its id
  // that was sent.
  std::function<void(Plane plane)> returned = [](const Plane&) {};
};

struct PluginCounts {
  int64_t sent = 0, returned = 0, skipped = 0, broken = 0;  // skipped: the plug-in was still busy with an earlier one
};

// Both ways are requests that the other side answers, as RECAST3D has them: it answers an int32 1. Where a plug-in is
// too slow or away, planes are skipped: of each id the newest waits.
class PluginLink {
 public:
  // Errors: io (the port for results is taken), invalid (an address).
  static Result<std::unique_ptr<PluginLink>> open(PluginOptions options);
  virtual ~PluginLink() = default;  // ends the thread
  // Never waits. From any thread.
  virtual void send(Plane plane) = 0;
  [[nodiscard]] virtual PluginCounts counts() const = 0;
};

}  // namespace tl::stream
