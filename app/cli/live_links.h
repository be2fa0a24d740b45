// What `live` is connected to besides the detector: a log of numbers, a plug-in, and programs that show planes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/stream/planes/plane_publisher.h"
#include "core/stream/planes/plugin_link.h"
#include "core/stream/receiver.h"
#include "core/stream/scans.h"

namespace tl::cli {

struct LinkOptions {
  std::string log, plugin, plugin_back = "tcp://127.0.0.1:5555", send, trigger;
  std::optional<double> before;
};

// Adds --log, --trigger, --before, --plugin, --plugin-back and --send. A trigger needs `record`.
void add_link_options(CLI::App& command, LinkOptions& options, CLI::Option* record);
// The trigger and the seconds before it.
Result<void> apply_trigger(const LinkOptions& options, stream::ScansOptions& scans);

// Lives as long as frames are received. send() may be called from any thread.
class LiveLinks {
 public:
  using Alarm = std::function<void(const std::string& what)>;

  // `end`: that of the detector's address, for the log as well. Errors: io (a port is taken), invalid (an address).
  static Result<std::unique_ptr<LiveLinks>> open(const LinkOptions& options, stream::SocketEnd end,
                                                 stream::Scans& scans, Alarm alarm);

  // A plane of a window, to the plug-in if there is one, and to the programs that subscribe: where there is a plug-in,
  // what it makes of the plane. Never waits.
  void send(stream::Plane plane);
  // Whether send() has anybody to send to, so that planes are worth computing.
  [[nodiscard]] bool wants_planes() const { return publisher_ || plugin_; }
  // What subscribers were sent so far: planes, bytes, and both per second; null without --send.
  [[nodiscard]] nlohmann::ordered_json sent() const;
  // What went over the links, as members of the event "end" and as lines of text.
  void add_to(nlohmann::ordered_json& end, const stream::Scans& scans) const;
  [[nodiscard]] std::vector<std::string> summary(const stream::Scans& scans) const;

 private:
  explicit LiveLinks(Alarm alarm) : alarm_(std::move(alarm)) {}
  void publish(const stream::Plane& plane);

  Alarm alarm_;
  bool has_trigger_ = false, has_log_ = false;
  std::unique_ptr<stream::PlanePublisher> publisher_;
  std::unique_ptr<stream::PluginLink> plugin_;  // ends before the publisher, which it uses
  std::unique_ptr<stream::Receiver> log_;
};

}  // namespace tl::cli
