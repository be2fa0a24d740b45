// Reads one slice and averages it to the size of a thumbnail.
#include "core/live/result_thumbnail.h"

#include <ATen/ATen.h>

#include "core/io/open_volume.h"

namespace tl::live {

picture::Image result_thumbnail(const std::vector<std::filesystem::path>& files, int64_t most,
                                const CancelToken& cancel) {
  for (const std::filesystem::path& file : files) {
    const auto volume = io::open_volume(file, {}, cancel);
    if (!volume.ok()) continue;
    const VolumeGrid& grid = volume.value()->info().grid;
    const int64_t middle = grid.nz / 2;
    const auto slice = volume.value()->read({{middle, middle + 1}, {0, grid.ny}, {0, grid.nx}}, cancel);
    if (!slice.ok() || slice.value().numel() == 0) continue;
    const int64_t bin = std::max<int64_t>(1, (std::max(grid.nx, grid.ny) + most - 1) / most);
    // Row 0 of an image is the largest y.
    at::Tensor image = slice.value().to(at::kFloat).flip(1).unsqueeze(0);
    if (bin > 1) image = at::avg_pool2d(image, {bin, bin}, {}, 0, /*ceil_mode=*/true);
    image = image.contiguous();
    const auto* pixels = image.const_data_ptr<float>();
    return {image.size(2), image.size(3), {pixels, pixels + image.numel()}};
  }
  return {};
}

}  // namespace tl::live
