// Reads the middle slice of a volume, and averages it to a small grey image.
#include "core/history/thumbnail.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/io/open_volume.h"
#include "core/picture/levels.h"

namespace tl::history {
namespace {

Thumbnail small_image(const at::Tensor& slice) {
  const int64_t step = std::max<int64_t>(
      1, (std::max(slice.size(0), slice.size(1)) + longest_thumbnail_edge - 1) / longest_thumbnail_edge);
  // Pixels beyond the last whole one are left out.
  const int64_t rows = std::max<int64_t>(1, slice.size(0) / step), cols = std::max<int64_t>(1, slice.size(1) / step);
  const int64_t high = std::min(step, slice.size(0)), wide = std::min(step, slice.size(1));
  const at::Tensor small = slice.slice(0, 0, rows * high)
                               .slice(1, 0, cols * wide)
                               .reshape({rows, high, cols, wide})
                               .mean(at::IntArrayRef{1, 3})
                               .contiguous();
  picture::Image image{rows, cols, {small.data_ptr<float>(), small.data_ptr<float>() + small.numel()}};
  const picture::Levels levels = picture::percentile_levels(image, picture::clipped_percent);
  const double range = levels.high > levels.low ? levels.high - levels.low : 1;
  Thumbnail made{static_cast<int>(rows), static_cast<int>(cols), std::string(image.pixels.size(), '\0')};
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const double grey = std::isfinite(image.pixels[i]) ? (image.pixels[i] - levels.low) / range : 0;
    made.pixels[i] = static_cast<char>(static_cast<unsigned char>(std::lround(255 * std::clamp(grey, 0.0, 1.0))));
  }
  return made;
}

}  // namespace

Thumbnail thumbnail_of(const std::vector<std::filesystem::path>& files) {
  for (const auto& file : files) {
    std::error_code failed;
    if (std::filesystem::is_character_file(file, failed)) continue;
    const auto volume = io::open_volume(file);
    if (!volume.ok()) continue;
    const VolumeGrid& grid = volume.value()->info().grid;
    const int64_t middle = grid.nz / 2;
    const auto slice = volume.value()->read({{middle, middle + 1}, {0, grid.ny}, {0, grid.nx}});
    if (!slice.ok() || slice.value().numel() == 0) continue;
    // Row 0 of an image is the largest y, as the views show it.
    return small_image(slice.value().reshape({grid.ny, grid.nx}).to(at::kCPU, at::kFloat).flip(0));
  }
  return {};
}

}  // namespace tl::history
