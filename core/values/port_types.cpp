// The rows of the port types. Colours are those of Okabe and Ito, which colour-blind people can distinguish.
#include "core/values/port_types.h"

#include <array>

namespace tl {
namespace {

constexpr std::array rows{
    PortTypeRow{PortType::projections, "projections", "sky_blue", "circle", Cut::scan, Display::grey, "scan"},
    PortTypeRow{PortType::volume, "volume", "orange", "square", Cut::grid, Display::grey, "volume"},
    PortTypeRow{PortType::labels, "labels", "green", "diamond", Cut::grid, Display::labels, "labels"},
    PortTypeRow{PortType::scalar, "scalar", "neutral", "ring", Cut::whole, Display::number, ""},
    PortTypeRow{PortType::table, "table", "neutral", "bars", Cut::whole, Display::curve, ""},
    PortTypeRow{PortType::spectrum, "spectrum", "yellow", "pentagon", Cut::whole, Display::curve, ""},
    PortTypeRow{PortType::maps, "maps", "vermilion", "triangle", Cut::grid, Display::none, "maps"},
    PortTypeRow{PortType::model, "model", "purple", "hexagon", Cut::whole, Display::none, ""},
};

constexpr bool are_in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].type != static_cast<PortType>(i)) return false;
  return true;
}
static_assert(are_in_order());

}  // namespace

std::span<const PortTypeRow> port_types() { return rows; }
const PortTypeRow& row_of(PortType type) { return rows.at(static_cast<std::size_t>(type)); }

bool is_table(PortType type) { return type == PortType::table; }
bool is_spectrum(PortType type) { return type == PortType::spectrum; }
PortType parameter_driving_type() { return PortType::scalar; }

}  // namespace tl
