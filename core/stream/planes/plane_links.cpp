// Opens the links of planes, and sends over them.
#include "core/stream/planes/plane_links.h"

#include <utility>

namespace tl::stream {

Result<std::unique_ptr<PlaneLinks>> PlaneLinks::open(const PlaneLinkOptions& options,
                                                     std::function<void(const std::string& what)> alarm) {
  std::unique_ptr<PlaneLinks> links(new PlaneLinks(std::move(alarm)));
  if (!options.send.empty()) {
    TL_TRY(links->publisher_, PlanePublisher::open(options.send));
  }
  if (!options.plugin.empty()) {
    TL_TRY(links->plugin_, PluginLink::open({options.plugin, options.plugin_back,
                                             [self = links.get()](const Plane& plane) { self->publish(plane); }}));
  }
  return links;
}

void PlaneLinks::publish(const Plane& plane) {
  if (!publisher_) return;
  if (const Result<void> sent = publisher_->send(plane); !sent.ok())
    alarm_("a plane is not sent: " + sent.error().message());
}

void PlaneLinks::send(Plane plane) {
  if (plugin_) return plugin_->send(std::move(plane));
  publish(plane);
}

std::optional<PlaneCounts> PlaneLinks::sent() const {
  return publisher_ ? std::optional(publisher_->counts()) : std::nullopt;
}

std::optional<PluginCounts> PlaneLinks::plugin() const {
  return plugin_ ? std::optional(plugin_->counts()) : std::nullopt;
}

}  // namespace tl::stream
