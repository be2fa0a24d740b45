// ViewSettings: how images and volumes are shown, as stored in the ui block of a pipeline.
#pragma once

#include <string>

#include "widgets/labels/label_view.h"
#include "widgets/text/color_map.h"
#include "widgets/views/scene/volume_view.h"

namespace tl::ui {

struct ViewSettings {
  ColorMap colors = ColorMap::grey;  // of slices and projections
  LabelView labels;                  // over slices
  VolumeView volume;
  friend bool operator==(const ViewSettings&, const ViewSettings&) = default;
};

// Files are untrusted: unknown values and values out of range get their defaults.
ViewSettings read_view_settings(const std::string& ui);
// The ui block with these settings; the rest of it is unchanged, and defaults are left out.
std::string with_view_settings(const std::string& ui, const ViewSettings& settings);

}  // namespace tl::ui
