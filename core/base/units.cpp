// Converts and names units of numbers, by one table.
#include "core/base/units.h"

#include <array>
#include <cctype>
#include <charconv>

namespace tl {
namespace {

struct Row {
  Unit unit;
  Dimension dimension;
  std::string_view symbol;
  double factor;             // stored value = factor * value
  std::string_view aliases;  // other spellings, lower case, separated and enclosed by spaces
};

constexpr std::array<Row, 19> table = {{
    {Unit::none, Dimension::none, "", 1, " "},
    {Unit::mm, Dimension::length, "mm", 1, " millimeter millimetre millimeters "},
    {Unit::um, Dimension::length, "um", 1e-3, " µm μm micron microns micrometer micrometre micrometers "},
    {Unit::nm, Dimension::length, "nm", 1e-6, " nanometer nanometre nanometers "},
    {Unit::cm, Dimension::length, "cm", 10, " centimeter centimetre centimeters "},
    {Unit::m, Dimension::length, "m", 1e3, " meter metre meters metres "},
    {Unit::rad, Dimension::angle, "rad", 1, " radian radians "},
    {Unit::deg, Dimension::angle, "deg", pi / 180, " degree degrees ° "},
    {Unit::keV, Dimension::energy, "keV", 1, " kev "},
    {Unit::eV, Dimension::energy, "eV", 1e-3, " ev "},
    {Unit::per_mm, Dimension::attenuation, "1/mm", 1, " mm^-1 mm-1 "},
    {Unit::per_cm, Dimension::attenuation, "1/cm", 0.1, " cm^-1 cm-1 "},
    {Unit::per_um, Dimension::attenuation, "1/um", 1e3, " 1/µm um^-1 "},
    {Unit::g_per_cm3, Dimension::density, "g/cm3", 1, " g/cm^3 g/cc "},
    {Unit::px, Dimension::pixels, "px", 1, " pixel pixels "},
    {Unit::percent, Dimension::fraction, "%", 0.01, " percent "},
    {Unit::nyquist, Dimension::fraction, "Nyquist", 1, " nyquist "},
    {Unit::s, Dimension::time, "s", 1, " second seconds sec "},
    {Unit::ms, Dimension::time, "ms", 1e-3, " millisecond milliseconds "},
}};

const Row& row(Unit unit) { return table.at(static_cast<std::size_t>(unit)); }

}  // namespace

Dimension dimension(Unit unit) { return row(unit).dimension; }
std::string_view symbol(Unit unit) { return row(unit).symbol; }

Result<Unit> parse_unit(std::string_view text) {
  for (const Row& r : table)
    if (r.symbol == text) return r.unit;
  std::string wanted = " ";
  for (const char c : text) wanted += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  wanted += ' ';
  for (const Row& r : table)
    if (wanted.size() > 2 && r.aliases.find(wanted) != std::string_view::npos) return r.unit;
  return invalid("unknown unit \"" + std::string(text) + "\"", {},
                 "Use one of mm, um, nm, cm, m, rad, deg, keV, eV, 1/mm, 1/cm, 1/um, g/cm3, px, %, s, ms");
}

Unit stored_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::length: return Unit::mm;
    case Dimension::angle: return Unit::rad;
    case Dimension::energy: return Unit::keV;
    case Dimension::attenuation: return Unit::per_mm;
    case Dimension::density: return Unit::g_per_cm3;
    case Dimension::pixels: return Unit::px;
    case Dimension::fraction: return Unit::nyquist;
    case Dimension::time: return Unit::s;
    case Dimension::none: break;
  }
  return Unit::none;
}

double convert(double value, Unit from, Unit to) {
  if (from == to) return value;
  TL_CHECK(row(from).dimension == row(to).dimension, "conversion between different dimensions");
  return value * row(from).factor / row(to).factor;
}

std::string format_quantity(double value, Unit unit) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  std::string text(digits.data(), end);
  if (unit != Unit::none) text += " " + std::string(symbol(unit));
  return text;
}

}  // namespace tl
