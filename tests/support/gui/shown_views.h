// The shown views of a window, for tests that wait for images and inspect them.
#pragma once

#include <algorithm>
#include <cmath>

#include "widgets/views/panes/before_pane.h"
#include "widgets/views/views_area.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::test {

// Whether every visible view shows the final image of its last request.
inline bool is_every_view_sharp(QWidget& window) {
  const auto images = window.findChildren<ui::ImagePane*>();
  const auto volumes = window.findChildren<ui::VolumePane*>();
  return std::all_of(images.begin(), images.end(),
                     [](const ui::ImagePane* pane) {
                       // These panes show a stored image and request none.
                       const bool is_stored = qobject_cast<const ui::BeforePane*>(pane) != nullptr;
                       return is_stored || !pane->isVisible() || pane->is_current();
                     }) &&
         std::all_of(volumes.begin(), volumes.end(),
                     [](const ui::VolumePane* pane) { return !pane->isVisible() || pane->is_settled(); });
}

// The view of that kind; nullptr if none is shown.
inline ui::ViewCell* cell_of(ui::ViewsArea& views, ui::PaneKind kind) {
  for (std::size_t i = 0; i < ui::ViewsArea::cells; ++i)
    if (views.cell(i).kind() == kind && views.cell(i).isVisible()) return &views.cell(i);
  return nullptr;
}

// Mean attenuation [1/px] of the large disc of a DiscScan outside the small one, in its middle slice.
inline double disc_mean(const live::Picture& picture) {
  const live::Image& image = *picture.image;
  double sum = 0;
  int64_t count = 0;
  const double middle = 0.5 * static_cast<double>(image.cols - 1), radius = 0.25 * static_cast<double>(image.cols);
  const double small = 0.24 * static_cast<double>(image.cols);  // the small disc and its surroundings
  for (int64_t r = 0; r < image.rows; ++r)
    for (int64_t c = 0; c < image.cols; ++c) {
      const double x = static_cast<double>(c) - middle, y = static_cast<double>(r) - middle;
      if (std::hypot(x, y) > radius || std::hypot(x, y) > small - 0.19 * static_cast<double>(image.cols)) continue;
      sum += static_cast<double>(image.pixels[static_cast<std::size_t>(r * image.cols + c)]);
      ++count;
    }
  return sum / static_cast<double>(count);
}

// Mean difference between pixels and their right neighbours: a measure of noise for comparing images of one object.
inline double roughness(const live::Image& image) {
  double sum = 0;
  for (int64_t r = 0; r < image.rows; ++r)
    for (int64_t c = 1; c < image.cols; ++c) {
      const auto at = static_cast<std::size_t>(r * image.cols + c);
      sum += std::abs(static_cast<double>(image.pixels[at]) - static_cast<double>(image.pixels[at - 1]));
    }
  return sum / static_cast<double>(image.rows * (image.cols - 1));
}

}  // namespace tl::test
