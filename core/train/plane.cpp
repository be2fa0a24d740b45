// Planes of any direction through a volume.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/train/sampling.h"
#include "gpu/device/parallel_for.h"

namespace tl::train {
namespace {

// The two voxels between which a coordinate lies; beyond the volume both are the last one.
struct Between {
  int64_t low, high;
  float share;  // of the high one
};

Between between(double at, int64_t n) {
  const double inside = std::clamp(at, 0.0, static_cast<double>(n - 1));
  const auto low = static_cast<int64_t>(inside);
  return {low, std::min(low + 1, n - 1), static_cast<float>(inside - static_cast<double>(low))};
}

// The nearest voxel, or -1 beyond the volume.
int64_t nearest(double at, int64_t n) {
  const auto i = static_cast<int64_t>(std::floor(at + 0.5));
  return i >= 0 && i < n ? i : -1;
}

}  // namespace

Sample sample_plane(const Item& item, Vec3 centre, Vec3 u, Vec3 v, int64_t rows, int64_t cols) {
  const at::Tensor volume = item.volume.contiguous(), labels = item.labels.contiguous();
  const int64_t channels = volume.size(0), nz = volume.size(1), ny = volume.size(2), nx = volume.size(3);
  Sample sample{at::empty({channels, rows, cols}, at::kFloat), at::empty({rows, cols}, at::kLong)};
  const auto* from = volume.const_data_ptr<float>();
  const auto* numbers = labels.const_data_ptr<int32_t>();
  auto* to = sample.input.mutable_data_ptr<float>();
  auto* target = sample.target.mutable_data_ptr<int64_t>();
  constexpr int64_t rows_at_once = 16;
  ops::parallel_for(0, rows, rows_at_once, [&](int64_t first, int64_t last) {
    for (int64_t j = first; j < last; ++j)
      for (int64_t i = 0; i < cols; ++i) {
        const double down = static_cast<double>(j) - 0.5 * static_cast<double>(rows - 1),
                     right = static_cast<double>(i) - 0.5 * static_cast<double>(cols - 1);
        const Vec3 p = centre + down * v + right * u;
        const Between x = between(p.x, nx), y = between(p.y, ny), z = between(p.z, nz);
        for (int64_t c = 0; c < channels; ++c) {
          const auto row = [&](int64_t k, int64_t l) {
            const float* line = from + ((c * nz + k) * ny + l) * nx;
            return line[x.low] + x.share * (line[x.high] - line[x.low]);
          };
          const auto slice = [&](int64_t k) {
            const float low = row(k, y.low);
            return low + y.share * (row(k, y.high) - low);
          };
          const float low = slice(z.low);
          to[(c * rows + j) * cols + i] = low + z.share * (slice(z.high) - low);
        }
        const int64_t a = nearest(p.x, nx), b = nearest(p.y, ny), d = nearest(p.z, nz);
        target[j * cols + i] = a < 0 || b < 0 || d < 0 ? unlabelled : numbers[(d * ny + b) * nx + a];
      }
  });
  return sample;
}

}  // namespace tl::train
