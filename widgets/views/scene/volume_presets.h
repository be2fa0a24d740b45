// VolumePreset: tints of the 3D view by material. Positions are percentiles of the object's values, so that they fit
// any scan.
#pragma once

#include <QCoreApplication>
#include <QRgb>
#include <QString>
#include <array>
#include <span>

namespace tl::ui {

struct PresetPoint {
  double percent;  // percentile of the object's values; 0: lowest value of the object
  QRgb color;
  double opacity;  // of one voxel's length
};

struct VolumePreset {
  const char* id;
  const char* title;  // before translation
  const char* help;
  std::array<PresetPoint, 5> points;  // by rising percentile
  [[nodiscard]] QString shown_title() const { return QCoreApplication::translate("VolumePreset", title); }
  [[nodiscard]] QString shown_help() const { return QCoreApplication::translate("VolumePreset", help); }
};

std::span<const VolumePreset> volume_presets();
// nullptr if not in the table, as for "", which means the colours and the opacity of the histogram.
const VolumePreset* find_volume_preset(const QString& id);

}  // namespace tl::ui
