// Values of the object in an image or volume: the threshold above the background, and the percentiles of its values.
#pragma once

#include <array>

#include "core/picture/levels.h"

namespace tl::picture {

struct ObjectValues {
  Levels range;          // smallest and largest finite value
  double threshold = 0;  // between background and object (Otsu 1979)
  double share = 0;      // fraction of the values above the threshold
  // Percentiles 0 to 100 of the values above the threshold; they do not depend on the amount of background.
  std::array<double, 101> percentiles{};
  // `percent` in [0, 100]; 0 gives the threshold.
  [[nodiscard]] double at(double percent) const;
};

// Large volumes are sampled (at least 500 000 voxels). Without finite values: 0 to 1.
ObjectValues object_values(const Image& image);

}  // namespace tl::picture
