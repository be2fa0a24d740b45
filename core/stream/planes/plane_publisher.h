// PlanePublisher: sends planes to all programs that subscribe, in the wire array.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/stream/planes/plane.h"

namespace tl::stream {

struct PlaneCounts {
  int64_t planes = 0, bytes = 0;  // sent
  // Mean over the time from the first plane to the last [1/s, bytes/s]; nothing before the second plane.
  std::optional<double> planes_per_second, bytes_per_second;
};

// A PUB socket bound to its address. It sends planes only, no volumes: a volume is as large as the planes of many
// windows. All functions may be called from any thread.
class PlanePublisher {
 public:
  // Errors: io (the port is taken), invalid (the address).
  static Result<std::unique_ptr<PlanePublisher>> open(const std::string& address);
  virtual ~PlanePublisher() = default;
  // Never waits: slow subscribers miss planes. Errors: io; invalid for values that do not fit the shape.
  virtual Result<void> send(const Plane& plane) = 0;
  [[nodiscard]] virtual PlaneCounts counts() const = 0;
};

}  // namespace tl::stream
