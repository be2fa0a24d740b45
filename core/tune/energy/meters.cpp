// All meters of this machine, and counters that wrap.
#include "core/tune/energy/meters.h"

namespace tl::tune {

MetersFound energy_meters() {
  MetersFound all = nvml_meters();
  MetersFound processors = powercap_meters();
  for (auto& meter : processors.meters) all.meters.push_back(std::move(meter));
  for (auto& one : processors.unreadable) all.unreadable.push_back(std::move(one));
  return all;
}

Result<double> WrappingCounter::add(uint64_t count) {
  if (before_) {
    if (count >= *before_) {
      microjoules_ += static_cast<double>(count - *before_);
    } else {
      if (largest_ < *before_)
        return unavailable("the energy counter went back, and its largest value is not known", "",
                           "Measure for a shorter time");
      microjoules_ += static_cast<double>(largest_ - *before_) + static_cast<double>(count);
    }
  }
  before_ = count;
  return microjoules_ / 1e6;
}

}  // namespace tl::tune
