// Computes mean and standard deviation of a volume in two passes.
#include "core/itk/volume_moments.h"

#include <cmath>

namespace tl::insight {

Moments moments_of(const VolumeView& v) {
  double sum = 0, squares = 0;
  const int64_t count = v.grid.count(), plane = v.grid.ny * v.grid.nx;
  for (int64_t z = 0; z < v.grid.nz; ++z) {
    double of_plane = 0;
    for (int64_t i = z * plane; i < (z + 1) * plane; ++i) of_plane += static_cast<double>(v.data[i]);
    sum += of_plane;
  }
  const double mean = sum / static_cast<double>(count);
  for (int64_t z = 0; z < v.grid.nz; ++z) {
    double of_plane = 0;
    for (int64_t i = z * plane; i < (z + 1) * plane; ++i) {
      const double d = static_cast<double>(v.data[i]) - mean;
      of_plane += d * d;
    }
    squares += of_plane;
  }
  return {mean, std::sqrt(squares / static_cast<double>(count))};
}

}  // namespace tl::insight
