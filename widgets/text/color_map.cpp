// ColorMap: the tables hold every eighth colour of matplotlib's maps (public domain, CC0; turbo: Apache 2.0). Colours
// in between are interpolated, which is exact to 2/255.
#include "widgets/text/color_map.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <span>

#include "core/values/enum_rows.h"

namespace tl::ui {
namespace {

constexpr std::array<QRgb, 33> viridis{
    0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453681, 0x424086, 0x3f4989, 0x3b528b, 0x375a8d, 0x33638d,
    0x2f6a8e, 0x2c728e, 0x297a8e, 0x26818e, 0x23898e, 0x21908c, 0x1f988b, 0x1f9f88, 0x21a685, 0x28ae80, 0x31b57b,
    0x3ebc74, 0x4cc26c, 0x5dc963, 0x6ece58, 0x82d34c, 0x96d83f, 0xabdc32, 0xc0df24, 0xd5e21a, 0xeae51a, 0xfde725,
};
constexpr std::array<QRgb, 33> magma{
    0x000004, 0x030311, 0x0a0822, 0x130d33, 0x1d1146, 0x28115a, 0x36106a, 0x430f76, 0x50127c, 0x5d177f, 0x691c81,
    0x762181, 0x822681, 0x8f2a81, 0x9c2e7f, 0xa9327d, 0xb63779, 0xc33b75, 0xcf4170, 0xdb486a, 0xe65163, 0xee5c5e,
    0xf5695c, 0xf9785d, 0xfb8761, 0xfd9668, 0xfea571, 0xfeb47b, 0xfec387, 0xfed194, 0xfde0a2, 0xfceeb0, 0xfcfdbf,
};
constexpr std::array<QRgb, 33> cividis{
    0x00224e, 0x00285b, 0x002e6a, 0x043371, 0x1a386f, 0x273e6e, 0x32436d, 0x3b496c, 0x434e6c, 0x4b546c, 0x52596d,
    0x5a5f6e, 0x61656f, 0x686a71, 0x6f7073, 0x757676, 0x7c7b78, 0x848179, 0x8b8778, 0x938d78, 0x9b9376, 0xa39a75,
    0xaba072, 0xb3a670, 0xbbad6c, 0xc3b469, 0xccba64, 0xd4c15f, 0xddc958, 0xe6d051, 0xefd748, 0xf8df3c, 0xfee838,
};
constexpr std::array<QRgb, 33> inferno{
    0x000004, 0x040312, 0x0b0724, 0x150b37, 0x210c4a, 0x2e0a5a, 0x3c0965, 0x4a0c6b, 0x57106d, 0x63146e, 0x70196e,
    0x7d1e6d, 0x89226a, 0x962766, 0xa32b61, 0xaf315c, 0xbb3755, 0xc63e4d, 0xd14644, 0xdb4f3b, 0xe35932, 0xeb6528,
    0xf1711e, 0xf67f14, 0xf98d0a, 0xfb9c06, 0xfcab0f, 0xfbba1f, 0xf9ca32, 0xf5d949, 0xf2e865, 0xf3f586, 0xfcffa4,
};
// A. Mikhailov's rainbow, which shows small differences; its lightness is not monotonic.
constexpr std::array<QRgb, 33> turbo{
    0x30123b, 0x392a73, 0x4040a1, 0x4456c7, 0x466be3, 0x467ff6, 0x4293ff, 0x37a7fa, 0x29bbec, 0x1dcdd8, 0x18dcc3,
    0x1ee8b0, 0x31f299, 0x4cf97e, 0x6bfd64, 0x8aff4d, 0xa3fd3c, 0xb8f735, 0xcced34, 0xdee037, 0xedd03a, 0xf8c03a,
    0xfdae35, 0xfe982c, 0xfb8022, 0xf56817, 0xec520f, 0xe04009, 0xd23105, 0xc02302, 0xac1701, 0x950d01, 0x7a0403,
};
// Grey with a tinge of blue, as on X-ray film.
constexpr std::array<QRgb, 33> bone{
    0x000000, 0x07070a, 0x0e0e13, 0x15151d, 0x1c1c27, 0x232331, 0x2a2a3a, 0x313144, 0x38384e, 0x3f3f57, 0x464661,
    0x4d4d6b, 0x545574, 0x5b5e7b, 0x626881, 0x697188, 0x707b8f, 0x778496, 0x7e8e9d, 0x8498a4, 0x8ba1ab, 0x92abb2,
    0x99b4b9, 0xa0bec0, 0xa8c7c7, 0xb3cece, 0xbed5d5, 0xc9dcdc, 0xd3e3e3, 0xdeeaea, 0xe9f1f1, 0xf4f8f8, 0xffffff,
};
// Blue for negative, light grey for zero, red for positive; both halves darken equally.
constexpr std::array<QRgb, 5> diverging{0x16457f, 0x6fa3d4, 0xececec, 0xdd8a70, 0x8f2013};
constexpr std::array<QRgb, 2> grey{0x000000, 0xffffff};
constexpr std::array<QRgb, 2> grey_inverted{0xffffff, 0x000000};

struct ColorMapRow {
  ColorMap value;
  QLatin1StringView key;
  const char* name;
  std::span<const QRgb> colors;
};
constexpr ColorMapRow maps[] = {
    {ColorMap::grey, QLatin1StringView("grey"), QT_TRANSLATE_NOOP("ColorMap", "Grey"), grey},
    {ColorMap::grey_inverted, QLatin1StringView("grey_inverted"), QT_TRANSLATE_NOOP("ColorMap", "Grey, inverted"),
     grey_inverted},
    {ColorMap::bone, QLatin1StringView("bone"), QT_TRANSLATE_NOOP("ColorMap", "Bone"), bone},
    {ColorMap::viridis, QLatin1StringView("viridis"), QT_TRANSLATE_NOOP("ColorMap", "Viridis"), viridis},
    {ColorMap::cividis, QLatin1StringView("cividis"), QT_TRANSLATE_NOOP("ColorMap", "Cividis"), cividis},
    {ColorMap::magma, QLatin1StringView("magma"), QT_TRANSLATE_NOOP("ColorMap", "Magma"), magma},
    {ColorMap::inferno, QLatin1StringView("inferno"), QT_TRANSLATE_NOOP("ColorMap", "Inferno"), inferno},
    {ColorMap::turbo, QLatin1StringView("turbo"), QT_TRANSLATE_NOOP("ColorMap", "Turbo"), turbo},
    {ColorMap::diverging, QLatin1StringView("diverging"), QT_TRANSLATE_NOOP("ColorMap", "Blue to red"), diverging},
};
static_assert(has_rows_up_to(maps, ColorMap::diverging));

}  // namespace

const std::vector<ColorMap>& all_color_maps() {
  static const std::vector<ColorMap> all = [] {
    std::vector<ColorMap> found;
    for (const ColorMapRow& row : maps) found.push_back(row.value);
    return found;
  }();
  return all;
}

QString color_map_key(ColorMap map) { return enum_row(maps, map).key; }

std::optional<ColorMap> find_color_map(const QString& key) {
  for (const ColorMap map : all_color_maps())
    if (color_map_key(map) == key) return map;
  return std::nullopt;
}

QString color_map_name(ColorMap map) { return QCoreApplication::translate("ColorMap", enum_row(maps, map).name); }

QRgb color_at(ColorMap map, double position) {
  const auto colors = enum_row(maps, map).colors;
  const double place = std::clamp(position, 0.0, 1.0) * static_cast<double>(colors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), colors.size() - 2);
  const double part = place - static_cast<double>(below);
  const auto mixed = [&](int shift) {
    const auto channel = [shift](QRgb color) { return static_cast<double>((color >> shift) & 0xff); };
    return static_cast<int>(std::lround((1 - part) * channel(colors[below]) + part * channel(colors[below + 1])));
  };
  return qRgb(mixed(16), mixed(8), mixed(0));
}

ColorLookup make_lookup(ColorMap map, QColor bad) {
  ColorLookup lookup;
  for (int i = 0; i < ColorLookup::size; ++i)
    lookup.colors[static_cast<std::size_t>(i)] = color_at(map, static_cast<double>(i) / (ColorLookup::size - 1));
  lookup.colors[ColorLookup::size] = bad.rgb();
  return lookup;
}

}  // namespace tl::ui
