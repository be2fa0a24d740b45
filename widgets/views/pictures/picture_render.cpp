// Image rendering: turns values of an image into screen pixels: scales, clamps and looks up colours in one pass.
#include "widgets/views/pictures/picture_render.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tl::ui {

namespace {

// Row r of the binned image of `rows` x `cols` pixels. Each pixel is the mean of all pixels that it covers, so that
// none is left out and NaN stays visible.
void mean_row(const live::Image& image, int64_t rows, int64_t cols, int64_t r, float* out) {
  std::fill_n(out, cols, 0.0f);
  const int64_t first = r * image.rows / rows, last = (r + 1) * image.rows / rows;
  for (int64_t k = first; k < last; ++k) {
    const float* from = image.pixels.data() + k * image.cols;
    for (int64_t c = 0, at = 0; c < cols; ++c)
      for (const int64_t end = (c + 1) * image.cols / cols; at < end; ++at) out[c] += from[at];
  }
  for (int64_t c = 0; c < cols; ++c) {
    const int64_t wide = (c + 1) * image.cols / cols - c * image.cols / cols;
    out[c] /= static_cast<float>((last - first) * wide);
  }
}

}  // namespace

QImage render_picture(const live::Image& image, picture::Levels levels, const ColorLookup& lookup, int fewer) {
  const int64_t rows = std::max<int64_t>(image.rows / fewer, 1), cols = std::max<int64_t>(image.cols / fewer, 1);
  QImage out(static_cast<int>(cols), static_cast<int>(rows), QImage::Format_RGB32);
  const auto low = static_cast<float>(levels.low);
  const auto scale = static_cast<float>(ColorLookup::size / (levels.high - levels.low));
  constexpr auto last = static_cast<float>(ColorLookup::size - 1);
  std::vector<float> means(fewer > 1 ? static_cast<std::size_t>(cols) : 0);
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = image.pixels.data() + r * image.cols;
    if (fewer > 1) {
      mean_row(image, rows, cols, r, means.data());
      from = means.data();
    }
    auto* to = reinterpret_cast<QRgb*>(out.scanLine(static_cast<int>(r)));
    for (int64_t c = 0; c < cols; ++c) {
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
