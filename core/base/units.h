// Units of numbers, their symbols and conversion, and strong types for the stored units (mm, rad, keV, 1/mm, pixels).
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl {

enum class Dimension { none, length, angle, energy, attenuation, density, pixels, fraction, time };

enum class Unit {
  none,
  mm,
  um,
  nm,
  cm,
  m,
  rad,
  deg,
  keV,
  eV,
  per_mm,
  per_cm,
  per_um,
  g_per_cm3,
  px,
  percent,
  nyquist,
  s,
  ms,
};

Dimension dimension(Unit unit);
// The symbol used on screen and in files: "mm", "um", "deg", "keV", "1/cm", "px", "" for none.
std::string_view symbol(Unit unit);
// Parses a symbol, or a spelling found in scans ("degree", "micron", "µm", "millimeter"). Unknown: invalid.
Result<Unit> parse_unit(std::string_view text);
// The unit in which numbers of this dimension are stored (mm, rad, keV, 1/mm, g/cm3, px, none, s).
Unit stored_unit(Dimension dimension);
// The only conversion between units. TL_CHECK fails for different dimensions.
double convert(double value, Unit from, Unit to);
inline double to_stored(double value, Unit from) { return convert(value, from, stored_unit(dimension(from))); }
inline double from_stored(double value, Unit to) { return convert(value, stored_unit(dimension(to)), to); }

// A number in its stored unit as a distinct type, so that a length cannot be passed as an angle.
template <Dimension D>
struct Stored {
  double value = 0;
  static constexpr Dimension dimension = D;
  friend auto operator<=>(const Stored&, const Stored&) = default;
};
using Length = Stored<Dimension::length>;            // mm
using Angle = Stored<Dimension::angle>;              // rad
using Energy = Stored<Dimension::energy>;            // keV
using Attenuation = Stored<Dimension::attenuation>;  // 1/mm
using Density = Stored<Dimension::density>;          // g/cm3
using Pixels = Stored<Dimension::pixels>;            // detector pixels

inline constexpr double pi = 3.14159265358979323846;
constexpr Angle operator""_deg(long double v) { return {static_cast<double>(v) * pi / 180}; }
constexpr Angle operator""_deg(unsigned long long v) { return {static_cast<double>(v) * pi / 180}; }
constexpr Length operator""_mm(long double v) { return {static_cast<double>(v)}; }
constexpr Length operator""_um(long double v) { return {static_cast<double>(v) * 1e-3}; }
constexpr Energy operator""_keV(long double v) { return {static_cast<double>(v)}; }

// "12.5 um": the number with the fewest digits that still reads back as the same double, and its unit.
std::string format_quantity(double value, Unit unit);

}  // namespace tl
