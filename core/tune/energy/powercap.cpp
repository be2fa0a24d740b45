// Energy counters of Linux: one folder per zone, "intel-rapl:0" for a package and "intel-rapl:0:1" for a part of it.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/text.h"
#include "core/tune/energy/meters.h"

namespace tl::tune {
namespace {

namespace fs = std::filesystem;

constexpr const char* udev_rule =
    "As root write SUBSYSTEM==\"powercap\", ACTION==\"add\", RUN+=\"/bin/chmod a+r /sys%p/energy_uj\" into "
    "/etc/udev/rules.d/70-powercap.rules and restart the machine";

// A small file of one line; io with the system's reason.
Result<std::string> line_of(const fs::path& file) {
  errno = 0;
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) {
    const int code = errno;
    if (code == EACCES || code == EPERM)
      return unavailable("the energy counter may be read by root alone", file.string(), udev_rule);
    return unavailable(std::string("the energy counter cannot be read: ") + std::strerror(code != 0 ? code : EIO),
                       file.string(), "This processor has none, or its driver is not loaded");
  }
  return std::string(trimmed(line.substr(0, 200)));
}

Result<uint64_t> count_of(const fs::path& file) {
  TL_TRY(const std::string line, line_of(file));
  uint64_t count = 0;
  const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), count);
  if (failed != std::errc{} || end != line.data() + line.size())
    return unavailable("the energy counter is not a number", file.string(), "");
  return count;
}

class PowercapMeter final : public EnergyMeter {
 public:
  PowercapMeter(fs::path zone, std::string name, uint64_t largest)
      : zone_(std::move(zone)), name_(std::move(name)), counter_(largest) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string source() const override { return "RAPL"; }
  Result<double> joules() override {
    TL_TRY(const uint64_t count, count_of(zone_ / "energy_uj"));
    return counter_.add(count);
  }

 private:
  fs::path zone_;
  std::string name_;
  WrappingCounter counter_;
};

// "intel-rapl:0", not "intel-rapl" (the driver) nor "intel-rapl:0:0" (a part of a package). The same counters also
// appear by another interface as "intel-rapl-mmio:0".
bool is_whole_zone(const std::string& name) {
  return std::count(name.begin(), name.end(), ':') == 1 && name.find("mmio") == std::string::npos;
}

}  // namespace

MetersFound powercap_meters() {
  const char* const given = std::getenv("TL_POWERCAP");  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  const fs::path folder = given != nullptr ? given : "/sys/class/powercap";
  MetersFound found;
  std::vector<fs::path> zones;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (is_whole_zone(at->path().filename().string())) zones.push_back(at->path());
  std::sort(zones.begin(), zones.end());
  if (zones.empty())
    found.unreadable.push_back({"CPU", unavailable("this machine shows no energy counters of its processors",
                                                   folder.string(), "Virtual machines and many containers have none")});
  for (const fs::path& zone : zones) {
    const auto label = line_of(zone / "name");
    const std::string name = "CPU: " + (label.ok() ? label.value() : zone.filename().string());
    const auto largest = count_of(zone / "max_energy_range_uj");
    if (const auto first = count_of(zone / "energy_uj"); !first.ok()) {
      found.unreadable.push_back({name, first.error()});
    } else {
      found.meters.push_back(std::make_unique<PowercapMeter>(zone, name, largest.ok() ? largest.value() : 0));
    }
  }
  return found;
}

}  // namespace tl::tune
