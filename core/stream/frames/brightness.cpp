// Compares the mean of a view with the means of flats and darks.
#include "core/stream/frames/brightness.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tl::stream {
namespace {

template <class T>
double mean_of_pixels(const std::vector<std::byte>& pixels) {
  constexpr std::size_t samples = 4096;
  const std::size_t count = pixels.size() / sizeof(T);
  // An odd step: an even one would sample only some detector columns.
  const std::size_t step = std::max<std::size_t>(1, count / samples) | 1;
  double sum = 0;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < count; i += step, ++taken) {
    T value{};
    std::memcpy(&value, pixels.data() + i * sizeof(T), sizeof(T));
    sum += static_cast<double>(value);
  }
  return taken > 0 ? sum / static_cast<double>(taken) : 0;
}

}  // namespace

double sampled_mean(const Frame& frame) {
  switch (frame.type) {
    case PixelType::uint8: return mean_of_pixels<uint8_t>(frame.pixels);
    case PixelType::float32: return mean_of_pixels<float>(frame.pixels);
    case PixelType::uint16: break;
  }
  return mean_of_pixels<uint16_t>(frame.pixels);
}

void Brightness::add_reference(const Frame& frame) {
  const double mean = sampled_mean(frame);
  if (std::isfinite(mean)) (frame.kind == FrameKind::dark ? dark_ : flat_) = mean;
}

bool Brightness::has_beam(const Frame& view) const {
  if (!flat_) return true;
  const double dark = dark_.value_or(0), full = *flat_ - dark;
  return full <= 0 || !(sampled_mean(view) - dark < least * full);
}

}  // namespace tl::stream
