// PluginLink: sends planes to a plug-in of RECAST3D, and receives its changed planes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/stream/planes/plane.h"

namespace tl::stream {

struct PluginOptions {
  std::string address;  // address of the plug-in: "tcp://127.0.0.1:5652"
  std::string back;     // address at which its results arrive: "tcp://127.0.0.1:5555"
  // Called on the link's thread with a returned plane: with the name and the window of the last plane with its id that
  // was sent.
  std::function<void(Plane plane)> returned = [](const Plane&) {};
};

struct PluginCounts {
  int64_t sent = 0, returned = 0, skipped = 0, broken = 0;  // skipped: the plug-in was still busy with an earlier plane
};

// Both directions are requests that the other side answers with an int32 1, as in RECAST3D. If a plug-in is slow or
// absent, planes are skipped: only the newest plane of each id waits.
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
