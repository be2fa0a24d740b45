// Computes grey values of small pictures, and the name of the computing device.
#include <algorithm>
#include <cmath>
#include <thread>

#include "core/live/engine.h"
#include "gpu/device/device.h"

namespace tl::live {
namespace {

constexpr double clipped = 0.005;  // fraction of the pixels clipped at each end

std::string::size_type past(const std::string& text, const std::string& mark) {
  const auto at = text.find(mark);
  return at == std::string::npos ? std::string::npos : at + mark.size();
}

}  // namespace

std::vector<uint8_t> grey_values(const Image& image) {
  std::vector<float> sorted;
  std::copy_if(image.pixels.begin(), image.pixels.end(), std::back_inserter(sorted),
               [](float v) { return std::isfinite(v); });
  std::vector<uint8_t> grey(image.pixels.size(), 0);
  if (sorted.empty()) return grey;
  const auto at_share = [&](double share) {
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), at, sorted.end());
    return static_cast<double>(*at);
  };
  const double low = at_share(clipped), high = at_share(1 - clipped);
  const double scale = high > low ? 255 / (high - low) : 0;
  for (std::size_t i = 0; i < grey.size(); ++i) {
    const double v = static_cast<double>(image.pixels[i]);
    if (std::isfinite(v)) grey[i] = static_cast<uint8_t>(std::clamp(scale * (v - low), 0.0, 255.0));
  }
  return grey;
}

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
