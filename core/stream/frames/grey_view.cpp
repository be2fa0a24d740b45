// Samples the pixels of a frame and maps them to grey levels.
#include "core/stream/frames/grey_view.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tl::stream {
namespace {

template <class T>
void sample(const Frame& frame, int64_t step, std::vector<float>& values) {
  for (int64_t row = 0; row < frame.rows; row += step) {
    for (int64_t col = 0; col < frame.cols; col += step) {
      T value{};
      std::memcpy(&value, frame.pixels.data() + static_cast<std::size_t>(row * frame.cols + col) * sizeof(T),
                  sizeof(T));
      values.push_back(static_cast<float>(value));
    }
  }
}

}  // namespace

GreyView grey_view(const Frame& frame, int64_t max_side) {
  const int64_t side = std::max(frame.rows, frame.cols), step = std::max<int64_t>(1, (side + max_side - 1) / max_side);
  GreyView view{(frame.rows + step - 1) / step, (frame.cols + step - 1) / step, {}, 0, 0};
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(view.rows * view.cols));
  switch (frame.type) {
    case PixelType::uint8: sample<uint8_t>(frame, step, values); break;
    case PixelType::uint16: sample<uint16_t>(frame, step, values); break;
    case PixelType::float32: sample<float>(frame, step, values); break;
  }
  std::vector<float> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](float v) { return std::isfinite(v); });
  constexpr std::size_t hundredth = 100;
  if (!finite.empty()) {
    const auto cut = static_cast<std::ptrdiff_t>(finite.size() / hundredth);
    std::nth_element(finite.begin(), finite.begin() + cut, finite.end());
    view.low = finite[static_cast<std::size_t>(cut)];
    std::nth_element(finite.begin(), finite.end() - 1 - cut, finite.end());
    view.high = *(finite.end() - 1 - cut);
  }
  constexpr double white = 255;
  const double scale = view.high > view.low ? white / (view.high - view.low) : 0;
  view.grey.reserve(values.size());
  for (const float v : values)
    view.grey.push_back(std::isfinite(v)
                            ? static_cast<uint8_t>(std::clamp((static_cast<double>(v) - view.low) * scale, 0.0, white))
                            : uint8_t{0});
  return view;
}

}  // namespace tl::stream
