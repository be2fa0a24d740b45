// ColorMap: how values become colours, and the lookup table that a picture is painted with.
#pragma once

#include <QColor>
#include <QString>
#include <array>
#include <cstdint>
#include <vector>

namespace tl::ui {

enum class ColorMap { grey, grey_inverted, viridis, magma, cividis, diverging };

const std::vector<ColorMap>& all_color_maps();
QString color_map_name(ColorMap map);  // translated
// The colour at `position` in [0, 1].
QRgb color_at(ColorMap map, double position);

// 1024 colours from black to white end, and one for pixels that are no numbers.
struct ColorLookup {
  static constexpr int size = 1024;
  std::array<QRgb, size + 1> colors{};
};
// `bad`: shown where the value is NaN; opaque.
ColorLookup make_lookup(ColorMap map, QColor bad);

}  // namespace tl::ui
