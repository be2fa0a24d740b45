// VolumeView: how the 3D views show the volume: style, colours, opacity, value of the surface, clipping, slices.
#pragma once

#include <QString>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "widgets/text/color_map.h"

namespace tl::ui {

enum class VolumeStyle { cloud, surface };
// The slices through the crosshair: hidden; their frames; their pixels; their pixels with the octant towards the camera
// cut out.
enum class VolumeSlices { hidden, frames, pixels, cut };

// Tints besides those of volume_presets.h. Automatic: the 3D view's colours over the values of the object, and opacity
// from their histogram. Window: colours over the window, and the opacity drawn in the histogram.
constexpr QLatin1String automatic_tint("automatic"), window_tint("");

constexpr std::array<double, 6> whole_box{0, 1, 0, 1, 0, 1};

// A point of the opacity curve; positions run from the window's lower end (0) to its upper end (1).
struct OpacityPoint {
  double position = 0, opacity = 0;
  friend bool operator==(const OpacityPoint&, const OpacityPoint&) = default;
};

struct VolumeView {
  VolumeStyle style = VolumeStyle::cloud;
  QString preset = automatic_tint;
  ColorMap colors = ColorMap::grey;
  std::vector<OpacityPoint> opacity{{0, 0}, {0.3, 0}, {0.7, 0.35}, {1, 0.8}};  // ordered by position, at least two
  std::map<QString, double> surface_values;  // by output; without one, the surface is at the object's lowest value
  std::array<double, 6> clip = whole_box;    // kept fraction of the box: x, y, z
  VolumeSlices slices = VolumeSlices::hidden;
  // Surfaces of the labels on screen, in addition to the volume; without a choice of the user they appear when they are
  // available.
  std::optional<bool> class_surfaces;
  friend bool operator==(const VolumeView&, const VolumeView&) = default;
};

}  // namespace tl::ui
