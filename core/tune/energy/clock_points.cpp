// Takes clocks and powers from measurements.
#include "core/tune/energy/clock_points.h"

#include <algorithm>
#include <optional>

namespace tl::tune {
namespace {

constexpr const char* clock_parameter = "nvml_gr_clock";
constexpr const char* measured_clock = "core_freq";
constexpr const char* measured_power = "nvml_power";

std::optional<double> clock_setting(const Space& space, const Measurement& m) {
  const std::vector<int64_t> indices = space.indices_of(m.cell);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (space.parameters[i].name != clock_parameter) continue;
    const ParameterValue& value = space.parameters[i].values[static_cast<std::size_t>(indices[i])];
    if (const auto* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<ClockPoint>> clock_points(const Space& space) {
  std::vector<ClockPoint> points;
  for (const Measurement& m : space.measurements) {
    if (m.failure != FailureCause::none) continue;
    const std::optional<double> setting = clock_setting(space, m), measured = m.other(measured_clock);
    const std::optional<double> watts = m.other(measured_power);
    const std::optional<double> clock = measured ? measured : setting;
    if (!clock || !watts || !(*watts > 0) || !(*clock > 0) || !(m.score > 0)) continue;
    points.push_back({setting.value_or(*clock), *clock, *watts, m.score});
  }
  if (points.empty())
    return unavailable("no configuration has both a clock and a power", space.name,
                       "Measure with core_freq or nvml_gr_clock, and nvml_power");
  std::sort(points.begin(), points.end(), [](const ClockPoint& a, const ClockPoint& b) { return a.mhz < b.mhz; });
  return points;
}

}  // namespace tl::tune
