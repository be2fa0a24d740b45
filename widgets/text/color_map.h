// ColorMap: colour maps, and the lookup table with which an image is painted.
#pragma once

#include <QColor>
#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace tl::ui {

enum class ColorMap { grey, grey_inverted, bone, viridis, cividis, magma, inferno, turbo, diverging };

const std::vector<ColorMap>& all_color_maps();
QString color_map_name(ColorMap map);  // translated
// Its name in files: "bone".
QString color_map_key(ColorMap map);
std::optional<ColorMap> find_color_map(const QString& key);
// `position` in [0, 1], from the low to the high end of the window.
QRgb color_at(ColorMap map, double position);

// 1024 colours from the lower to the upper end of the window, and one for NaN.
struct ColorLookup {
  static constexpr int size = 1024;
  std::array<QRgb, size + 1> colors{};
};
// `bad`: opaque colour of NaN.
ColorLookup make_lookup(ColorMap map, QColor bad);

}  // namespace tl::ui
