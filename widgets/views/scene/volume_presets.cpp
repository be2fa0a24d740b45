// The table of presets: a row added here appears in bar, menu and action search.
#include "widgets/views/scene/volume_presets.h"

#include <algorithm>

namespace tl::ui {
namespace {

// id, title, help, {percentile, colour, opacity}
constexpr std::array<VolumePreset, 5> presets{{
    {"bone",
     QT_TRANSLATE_NOOP("VolumePreset", "Bone"),
     QT_TRANSLATE_NOOP("VolumePreset", "Soft tissue as a reddish veil, bone opaque"),
     {{{0, 0x8c4a3a, 0}, {12, 0xb0694f, 0.02}, {45, 0xd8b08c, 0.10}, {65, 0xf0dfc2, 0.50}, {100, 0xfffaf0, 0.95}}}},
    {"tooth",
     QT_TRANSLATE_NOOP("VolumePreset", "Tooth"),
     QT_TRANSLATE_NOOP("VolumePreset", "Dentine in warm yellow, enamel white and opaque"),
     {{{0, 0xa87c4e, 0}, {6, 0xd0a872, 0.22}, {45, 0xe6cc9a, 0.40}, {75, 0xf7eedb, 0.75}, {100, 0xffffff, 1}}}},
    {"rock",
     QT_TRANSLATE_NOOP("VolumePreset", "Rock"),
     QT_TRANSLATE_NOOP("VolumePreset", "Grains opaque in earth colours, the densest minerals orange"),
     {{{0, 0x5c4f43, 0}, {5, 0x8a7660, 0.60}, {55, 0xb59c7c, 0.80}, {90, 0xdccdae, 0.90}, {100, 0xe0703a, 1}}}},
    {"foam",
     QT_TRANSLATE_NOOP("VolumePreset", "Foam"),
     QT_TRANSLATE_NOOP("VolumePreset", "Thin walls opaque in blue green"),
     {{{0, 0x2f6478, 0}, {4, 0x5c9fb2, 0.60}, {40, 0x93cbd3, 0.85}, {80, 0xcdebec, 0.95}, {100, 0xffffff, 1}}}},
    {"battery",
     QT_TRANSLATE_NOOP("VolumePreset", "Battery"),
     QT_TRANSLATE_NOOP("VolumePreset", "Separator and polymer blue and transparent, electrodes copper, metal white"),
     {{{0, 0x2c4a78, 0}, {15, 0x4a7fc0, 0.03}, {50, 0xbf7a40, 0.30}, {80, 0xe3b566, 0.75}, {100, 0xf6f6f6, 1}}}},
}};

}  // namespace

std::span<const VolumePreset> volume_presets() { return presets; }

const VolumePreset* find_volume_preset(const QString& id) {
  const auto found =
      std::find_if(presets.begin(), presets.end(), [&](const VolumePreset& p) { return id == QLatin1String(p.id); });
  return found == presets.end() ? nullptr : &*found;
}

}  // namespace tl::ui
