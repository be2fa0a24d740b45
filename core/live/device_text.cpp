// Names the computing device for display.
#include <algorithm>
#include <thread>

#include "core/live/engine.h"
#include "gpu/device/device.h"

namespace tl::live {
namespace {

std::string::size_type past(const std::string& text, const std::string& mark) {
  const auto at = text.find(mark);
  return at == std::string::npos ? std::string::npos : at + mark.size();
}

}  // namespace

std::string device_text(const std::string& device) {
  for (const DeviceInfo& d : devices()) {
    if (d.id != device) continue;
    if (d.id != "cpu") return d.name;
    // "AMD EPYC, 2 threads, AVX-512": the instruction set follows "threads, ".
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    std::string text = "CPU · " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
    const auto set = past(d.name, "threads, ");
    if (set != std::string::npos && set < d.name.size()) text += " · " + d.name.substr(set);
    return text;
  }
  return device;
}

}  // namespace tl::live
