// One pass over the values: scale, clamp, look up.
#include "widgets/views/picture_render.h"

#include <algorithm>
#include <cmath>

namespace tl::ui {

QImage render_picture(const live::Image& image, picture::Levels levels, const ColorLookup& lookup) {
  const auto rows = static_cast<int>(image.rows), cols = static_cast<int>(image.cols);
  QImage out(cols, rows, QImage::Format_RGB32);
  const auto low = static_cast<float>(levels.low);
  const auto scale = static_cast<float>(ColorLookup::size / (levels.high - levels.low));
  constexpr auto last = static_cast<float>(ColorLookup::size - 1);
  for (int r = 0; r < rows; ++r) {
    const float* from = image.pixels.data() + static_cast<std::ptrdiff_t>(r) * cols;
    auto* to = reinterpret_cast<QRgb*>(out.scanLine(r));
    for (int c = 0; c < cols; ++c) {
      const float place = std::min(std::max((from[c] - low) * scale, 0.0f), last);
      const int index = std::isnan(from[c]) ? ColorLookup::size : static_cast<int>(place);
      to[c] = lookup.colors[static_cast<std::size_t>(index)];
    }
  }
  return out;
}

QImage shrunk_for(const QImage& full, double scale) {
  QImage small = full;
  while (scale <= 0.5 && small.width() > 1 && small.height() > 1) {
    small = small.scaled(small.width() / 2, small.height() / 2, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    scale *= 2;
  }
  return small;
}

}  // namespace tl::ui
