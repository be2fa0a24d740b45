// PlaneLinks: connections to programs that receive planes: a plug-in, and subscribers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/stream/planes/plane_publisher.h"
#include "core/stream/planes/plugin_link.h"

namespace tl::stream {

struct PlaneLinkOptions {
  std::string send = {}, plugin = {};                // addresses; empty: there is none
  std::string plugin_back = "tcp://127.0.0.1:5555";  // address at which planes changed by the plug-in arrive
};

// All functions may be called from any thread.
class PlaneLinks {
 public:
  // `alarm`: from any thread. Errors: io (a port is taken), invalid (an address).
  static Result<std::unique_ptr<PlaneLinks>> open(const PlaneLinkOptions& options,
                                                  std::function<void(const std::string& what)> alarm);
  PlaneLinks(const PlaneLinks&) = delete;
  PlaneLinks& operator=(const PlaneLinks&) = delete;

  // Sends to the plug-in if there is one, and to subscribers; with a plug-in, subscribers get the plane that it
  // returns. Never waits.
  void send(Plane plane);
  // Whether send() has a receiver, so that planes are worth computing.
  [[nodiscard]] bool wants_planes() const { return publisher_ || plugin_; }
  // Nothing without such a link.
  [[nodiscard]] std::optional<PlaneCounts> sent() const;
  [[nodiscard]] std::optional<PluginCounts> plugin() const;

 private:
  explicit PlaneLinks(std::function<void(const std::string& what)> alarm) : alarm_(std::move(alarm)) {}
  void publish(const Plane& plane);

  const std::function<void(const std::string& what)> alarm_;
  std::unique_ptr<PlanePublisher> publisher_;
  std::unique_ptr<PluginLink> plugin_;  // declared after the publisher, which its thread uses
};

}  // namespace tl::stream
