// Label images: looks up each number's colour once, since neighbours mostly have the same label.
#include "widgets/labels/label_picture.h"

#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/values/label_colours.h"
#include "widgets/labels/label_colors.h"

namespace tl::ui {
namespace {

class Colors {
 public:
  Colors(const LabelTable& table, const LabelView& view)
      : table_(table),
        hidden_(view.hidden),
        highlighted_(view.highlighted),
        alpha_(static_cast<int>(std::lround(255 * (view.outlined ? 1.0 : view.opacity)))) {}
  QRgb operator()(float value) {
    if (value == last_value_) return last_;
    last_value_ = value;
    last_ = std::isnan(value) ? qRgba(0, 0, 0, 0) : of(std::llround(value));
    return last_;
  }

 private:
  QRgb of(int64_t number) {
    const auto [entry, added] = known_.try_emplace(number, qRgba(0, 0, 0, 0));
    const bool is_highlighted = highlighted_.contains(number);
    if (added && is_labelled(table_, number) && (is_highlighted || !hidden_.contains(number))) {
      constexpr int opaque = 255, fainter = 4;
      const QRgb c = label_rgb(table_, number);
      const int alpha = is_highlighted ? opaque : highlighted_.empty() ? alpha_ : alpha_ / fainter;
      entry->second = qPremultiply(qRgba(qRed(c), qGreen(c), qBlue(c), alpha));
    }
    return entry->second;
  }

  const LabelTable& table_;
  const std::set<int64_t>&hidden_, &highlighted_;
  int alpha_;
  std::unordered_map<int64_t, QRgb> known_;
  float last_value_ = std::numeric_limits<float>::quiet_NaN();
  QRgb last_ = qRgba(0, 0, 0, 0);
};

}  // namespace

QImage render_labels(const picture::Image& image, const LabelTable& table, const LabelView& view) {
  QImage out(static_cast<int>(image.cols), static_cast<int>(image.rows), QImage::Format_ARGB32_Premultiplied);
  Colors colors(table, view);
  const float* pixels = image.pixels.data();
  const int64_t rows = image.rows, cols = image.cols;
  const auto is_edge = [&](int64_t r, int64_t c) {
    const float own = pixels[r * cols + c];
    return (c > 0 && pixels[r * cols + c - 1] != own) || (c + 1 < cols && pixels[r * cols + c + 1] != own) ||
           (r > 0 && pixels[(r - 1) * cols + c] != own) || (r + 1 < rows && pixels[(r + 1) * cols + c] != own);
  };
  for (int64_t r = 0; r < rows; ++r) {
    auto* to = reinterpret_cast<QRgb*>(out.scanLine(static_cast<int>(r)));
    for (int64_t c = 0; c < cols; ++c)
      to[c] = view.outlined && !is_edge(r, c) ? qRgba(0, 0, 0, 0) : colors(pixels[r * cols + c]);
  }
  return out;
}

}  // namespace tl::ui
