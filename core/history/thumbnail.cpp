// Reads the middle slice of a volume, and averages it to a small grey image.
#include "core/history/thumbnail.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/io/open_volume.h"
#include "core/picture/levels.h"

namespace tl::history {

picture::Image small_slice(const std::vector<std::filesystem::path>& files, int64_t longest_edge,
                           const CancelToken& cancel) {
  for (const auto& file : files) {
    std::error_code failed;
    if (std::filesystem::is_character_file(file, failed)) continue;
    const auto volume = io::open_volume(file, {}, cancel);
    if (!volume.ok()) continue;
    const VolumeGrid& grid = volume.value()->info().grid;
    const int64_t middle = grid.nz / 2;
    const auto slice = volume.value()->read({{middle, middle + 1}, {0, grid.ny}, {0, grid.nx}}, cancel);
    if (!slice.ok() || slice.value().numel() == 0) continue;
    const int64_t bin = std::max<int64_t>(1, (std::max(grid.nx, grid.ny) + longest_edge - 1) / longest_edge);
    // In views, row 0 of an image is the largest y.
    at::Tensor image = slice.value().to(at::kCPU, at::kFloat).flip(1).unsqueeze(0);
    if (bin > 1) image = at::avg_pool2d(image, {bin, bin}, {}, 0, /*ceil_mode=*/true);
    image = image.contiguous();
    const auto* const pixels = image.const_data_ptr<float>();
    return {image.size(2), image.size(3), {pixels, pixels + image.numel()}};
  }
  return {};
}

Thumbnail thumbnail_of(const std::vector<std::filesystem::path>& files) {
  const picture::Image image = small_slice(files, longest_thumbnail_edge);
  const picture::Levels levels = picture::percentile_levels(image, picture::clipped_percent);
  const double range = levels.high > levels.low ? levels.high - levels.low : 1;
  Thumbnail made{static_cast<int>(image.rows), static_cast<int>(image.cols), std::string(image.pixels.size(), '\0')};
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const double grey = std::isfinite(image.pixels[i]) ? (image.pixels[i] - levels.low) / range : 0;
    made.pixels[i] = static_cast<char>(static_cast<unsigned char>(std::lround(255 * std::clamp(grey, 0.0, 1.0))));
  }
  return made;
}

}  // namespace tl::history
