// VolumeTransfer: by the window, by the percentiles of a preset, or, in the automatic tint, from the histogram of the
// object.
#include "widgets/views/scene/volume_transfer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/views/scene/volume_presets.h"

namespace tl::ui {
namespace {

// Opacity of a ray through the whole object if its values are the usual ones: transparent enough to see its
// inside.
constexpr double cover_of_object = 0.8;
// Opacity of a ray through a tenth of the object at its rare high values: they look solid.
constexpr double cover_of_details = 0.95, part_of_details = 0.1;
// An object of one material, such as foam or sand, has no details inside: this many voxels of its surface are opaque,
// and gradient shading shows its shape.
constexpr double cover_of_surface = 0.95, voxels_of_surface = 4;
constexpr double darkest = 0.5;  // position of the object's lowest value in the colour map; darker is invisible
constexpr double few_percent = 99.5;

// The opacity per voxel for a total opacity `cover` over so many voxels.
double opacity_for(double cover, double voxels) {
  return 1 - std::pow(1 - cover, opacity_length / std::max(voxels, opacity_length));
}

// Most values of the object are within this distance of its median, in units of the noise of its lower half.
constexpr double usual_reach = 3;

// 0 if the highest values are only noise of the usual ones, 1 if they belong to another material. Few values of normal
// noise are further from the median than 2.6 times its distance to the 16th percentile.
double distinctness(double above, double noise) {
  if (!(above > usual_reach * noise)) return 0;
  return std::min(1.0, (above - usual_reach * noise) / (usual_reach * noise + 1e-9 * above));
}

VolumeTransfer automatic_transfer(const VolumeScene& scene, const picture::ObjectValues& values, double size) {
  VolumeTransfer out;
  const double first = values.threshold,
               top = std::max(values.at(few_percent), std::nextafter(first, values.range.high));
  const double last = static_cast<double>(scene.colors.size() - 1);
  for (std::size_t i = 0; i < scene.colors.size(); ++i) {
    const double place = static_cast<double>(i) / last;
    const auto color = static_cast<std::size_t>(std::lround((darkest + (1 - darkest) * place) * last));
    out.colors.emplace_back(first + place * (top - first), scene.colors[color]);
  }
  const double across = size * std::cbrt(values.share);  // voxels through the object
  const double middle = values.at(50), noise = middle - values.at(16);
  const double distinct = distinctness(top - middle, noise);
  const double veil = opacity_for(cover_of_object, across), solid = opacity_for(cover_of_surface, voxels_of_surface);
  const double usual = std::max(veil, solid + distinct * (veil - solid));
  const double details = opacity_for(cover_of_details, part_of_details * across);
  const double high = std::max(usual, usual + distinct * (details - usual));
  out.opacity = {{first, 0}, {values.at(16), usual}, {std::min(middle + usual_reach * noise, top), usual}, {top, high}};
  return out;
}

}  // namespace

picture::Levels VolumeTransfer::visible() const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  picture::Levels out{-infinite, infinite};
  for (auto p = opacity.begin(); p != opacity.end() && p->second <= 0; ++p) out.low = p->first;
  for (auto p = opacity.rbegin(); p != opacity.rend() && p->second <= 0; ++p) out.high = p->first;
  return out;
}

VolumeTransfer transfer_of(const VolumeScene& scene, const picture::ObjectValues& values, double size) {
  if (scene.preset == automatic_tint) return automatic_transfer(scene, values, size);
  VolumeTransfer out;
  if (const VolumePreset* preset = find_volume_preset(scene.preset)) {
    for (const PresetPoint& p : preset->points) {
      out.colors.emplace_back(values.at(p.percent), p.color);
      out.opacity.emplace_back(values.at(p.percent), p.opacity);
    }
    return out;
  }
  const double low = scene.levels.low, span = scene.levels.high - scene.levels.low;
  const double last = static_cast<double>(scene.colors.size() - 1);
  for (std::size_t i = 0; i < scene.colors.size(); ++i)
    out.colors.emplace_back(low + span * static_cast<double>(i) / last, scene.colors[i]);
  for (const auto& [at, value] : scene.opacity) out.opacity.emplace_back(low + span * at, value);
  return out;
}

}  // namespace tl::ui
