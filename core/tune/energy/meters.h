// EnergyMeter: reads the energy that a device has used; where it cannot, it says why.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::tune {

// Joules between readings, never less than before: counters that wrap are followed, if they are read more often than
// they wrap (minutes at full power). Used by one thread.
class EnergyMeter {
 public:
  virtual ~EnergyMeter() = default;
  EnergyMeter() = default;
  EnergyMeter(const EnergyMeter&) = delete;
  EnergyMeter& operator=(const EnergyMeter&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;    // "GPU 0: NVIDIA A100", "CPU: package-0"
  [[nodiscard]] virtual std::string source() const = 0;  // "NVML energy counter", "RAPL"
  // Joules since the first reading, which gives 0. Unavailable where it cannot be read: no energy is not 0 J.
  virtual Result<double> joules() = 0;
};

// A device that has no meter, and why.
struct UnreadableMeter {
  std::string name;
  Error why;
};

struct MetersFound {
  std::vector<std::unique_ptr<EnergyMeter>> meters;
  std::vector<UnreadableMeter> unreadable;
};

// GPUs by the NVIDIA Management Library, which is loaded at run time: libnvidia-ml.so.1, or the file that the variable
// TL_NVML names. Its energy counter where the device has one, otherwise power over time. Clocks are never touched.
MetersFound nvml_meters();

// Processors by the counters of Linux (powercap, RAPL): /sys/class/powercap, or the folder that TL_POWERCAP names.
// Whole packages and what is not a part of one. Since Linux 5.10 they are root's; the error names the udev rule that
// changes this.
MetersFound powercap_meters();

// Both.
MetersFound energy_meters();

// Joules from readings of a power [W] at times [s] (trapezoids). Not from several threads at a time.
class PowerIntegral {
 public:
  void add(double seconds, double watts) {
    if (is_begun_) joules_ += (seconds - seconds_) * (watts + watts_) / 2;
    is_begun_ = true;
    seconds_ = seconds;
    watts_ = watts;
  }
  [[nodiscard]] double joules() const { return joules_; }

 private:
  bool is_begun_ = false;
  double seconds_ = 0, watts_ = 0, joules_ = 0;
};

// Joules from a counter of microjoules that goes back to 0 after `largest`.
class WrappingCounter {
 public:
  explicit WrappingCounter(uint64_t largest) : largest_(largest) {}
  // Unavailable where it went back and `largest` is not known (0).
  Result<double> add(uint64_t count);

 private:
  uint64_t largest_;
  std::optional<uint64_t> before_;
  double microjoules_ = 0;
};

}  // namespace tl::tune
