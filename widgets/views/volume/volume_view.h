// VolumeView: how the 3D views show the volume: style, tint, value of the surface, clipping, slices; as it stands in
// the ui block of a pipeline.
#pragma once

#include <QString>
#include <array>
#include <map>
#include <string>

namespace tl::ui {

enum class VolumeStyle { cloud, surface };
// The slices through the crosshair: their frames; their pixels; their pixels where the octant that faces the camera is
// cut out.
enum class VolumeSlices { hidden, frames, pixels, cut };

// Tints besides those of volume_presets.h. Automatic: the 3D view's colours over the values of the object, and opacity
// from their histogram. Window: colours over the window, and the opacity drawn in the histogram.
constexpr QLatin1String automatic_tint("automatic"), window_tint("");

constexpr std::array<double, 6> whole_box{0, 1, 0, 1, 0, 1};

struct VolumeView {
  VolumeStyle style = VolumeStyle::cloud;
  QString preset = automatic_tint;
  std::map<QString, double> surface_values;  // by output; without one the surface is where the object begins
  std::array<double, 6> clip = whole_box;    // kept fraction of the box: x, y, z
  VolumeSlices slices = VolumeSlices::hidden;
  friend bool operator==(const VolumeView&, const VolumeView&) = default;
};

// Files are untrusted: what is not known or not in its range is left at its default.
VolumeView read_volume_view(const std::string& ui);
// The ui block with this view; everything else in it stays, and defaults are left out.
std::string with_volume_view(const std::string& ui, const VolumeView& view);

}  // namespace tl::ui
