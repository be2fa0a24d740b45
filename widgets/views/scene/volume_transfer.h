// VolumeTransfer: colours and opacity of the cloud by the values of the voxels.
#pragma once

#include <utility>
#include <vector>

#include "core/picture/object_values.h"
#include "widgets/views/scene/volume_scene.h"

namespace tl::ui {

constexpr double opacity_length = 2;  // voxels through which an opacity is meant

struct VolumeTransfer {
  std::vector<std::pair<double, QRgb>> colors;     // by rising value
  std::vector<std::pair<double, double>> opacity;  // by rising value
  [[nodiscard]] picture::Levels visible() const;   // values that are not fully transparent
};

// `values` are those of the volume, and `size` is the edge of a cube with the same number of voxels.
VolumeTransfer transfer_of(const VolumeScene& scene, const picture::ObjectValues& values, double size);

}  // namespace tl::ui
