// observe_energy: what the devices of this machine use in a while.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/tune/energy/meters.h"

namespace tl::tune {

struct ObservedEnergy {
  std::string name, source;
  std::optional<double> joules;  // nothing where it is not available
  std::optional<double> watts;   // on average
  std::optional<Error> why;      // why it is not
};

// Reads all meters every 50 ms for so many seconds (> 0) and lists them with the devices that have none. A meter that
// fails on the way is not available: a part of its energy is not its energy. Cancelled.
Result<std::vector<ObservedEnergy>> observe_energy(MetersFound found, double seconds, const CancelToken& cancel,
                                                   const std::function<void(double share)>& progress = {});

}  // namespace tl::tune
