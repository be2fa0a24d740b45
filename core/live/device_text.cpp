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
    const std::string count = std::to_string(cores);
    const auto at = past(d.name, "threads, ");
    const std::string set = at == std::string::npos ? std::string() : d.name.substr(at);
    // Whole sentences, each of which can be translated.
    if (set.empty() && cores == 1) return "CPU · 1 core";
    if (set.empty()) return "CPU · " + count + " cores";
    if (cores == 1) return "CPU · 1 core · " + set;
    return "CPU · " + count + " cores · " + set;
  }
  return device;
}

}  // namespace tl::live
