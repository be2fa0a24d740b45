// GreyRange: which grey values a stroke may paint on, looked up in an image of them.
#pragma once

#include <memory>

#include "core/base/grid.h"
#include "core/picture/image.h"

namespace tl::ui {

struct GreyRange {
  double low = 0, high = 0;
  [[nodiscard]] bool holds(double value) const { return value >= low && value <= high; }  // not NaN
};

// The grey values of a box of voxels or of a slice, as the session sends them.
struct GreyPicture {
  VolumeGrid grid;
  std::shared_ptr<const picture::Image> image;
  int64_t slices = 1;
  // The grey value of the voxel nearest to a point; NaN outside.
  [[nodiscard]] double at(Vec3 point) const;
};

}  // namespace tl::ui
