// Computes spectra of X-ray tubes and attenuations over energies.
#include "core/physics/tube.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/base/text.h"
#include "core/physics/materials.h"
#include "core/values/values.h"

namespace tl {
namespace {

constexpr double min_energy = 1, max_energy = 200;  // [keV], of the tables

std::optional<double> trailing_number(const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  return whole ? std::optional(value) : std::nullopt;
}

Result<LabelMaterial> parse_material(const std::string& entry) {
  LabelMaterial material;
  material.name = entry;
  const auto blank = entry.find_last_of(" \t");
  if (blank == std::string::npos) return material;
  const auto number = trailing_number(entry.substr(blank + 1));
  if (!number) return material;
  if (!(*number > 0 && std::isfinite(*number)))
    return invalid("\"" + entry + "\" ends with a number that is not positive", "materials",
                   "Give the density in g/cm3, such as: C5O2H8 1.18");
  const std::string name(trimmed(std::string_view(entry).substr(0, blank)));
  if (name == "bilinear") {
    material.number_ratio = number;
  } else {
    material.name = name;
    material.density = number;
  }
  return material;
}

}  // namespace

Result<std::vector<double>> equidistant_energies(double lowest, double highest, int64_t count) {
  if (!(lowest >= min_energy && highest <= max_energy && lowest < highest))
    return invalid("energies from " + format_quantity(lowest, Unit::keV) + " to " + format_quantity(highest, Unit::keV),
                   "voltage", "The tables contain 1 to 200 keV; the lowest energy must be below the voltage");
  if (count < 2 || count > max_energies)
    return invalid("the number of energies is " + std::to_string(count), "energies",
                   "Give 2 to " + std::to_string(max_energies));
  std::vector<double> energies(static_cast<std::size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    energies[static_cast<std::size_t>(i)] =
        lowest + (highest - lowest) * static_cast<double>(i) / static_cast<double>(count - 1);
  energies.back() = highest;
  return energies;
}

double kramers_spectrum(double voltage, double energy) { return std::max(0.0, voltage / energy - 1); }

Result<std::vector<double>> scintillator_response(const std::vector<double>& energies, const BeamFilter& scintillator) {
  std::vector<double> response = energies;
  if (!(scintillator.thickness > 0)) return response;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    TL_TRY(const double absorbed, photo_absorption(scintillator.material, scintillator.density, energies[i]));
    response[i] *= -std::expm1(-absorbed * scintillator.thickness);
  }
  return response;
}

Result<Spectrum> tube_spectrum(const TubeSpec& tube) {
  TL_TRY(const std::vector<double> energies, equidistant_energies(tube.lowest, tube.voltage, tube.energies));
  TL_TRY(std::vector<double> weights, scintillator_response(energies, tube.scintillator));
  for (std::size_t i = 0; i < energies.size(); ++i) weights[i] *= kramers_spectrum(tube.voltage, energies[i]);
  return filtered_spectrum(energies, weights, tube.filter);
}

Result<std::vector<double>> attenuations(const std::string& material, const std::optional<double>& density,
                                         const std::vector<double>& energies) {
  std::vector<double> all;
  all.reserve(energies.size());
  for (const double energy : energies) {
    TL_TRY(const RefractiveIndex index, refractive_index(material, density, energy));
    all.push_back(index.attenuation);
  }
  return all;
}

double compton_share(double energy) { return 1 / (1 + 12179 * std::pow(energy, -2.8)); }

Result<double> bilinear_attenuation(double number_ratio, double energy) {
  if (!(number_ratio > 0 && std::isfinite(number_ratio)))
    return invalid("the ratio of atomic numbers is not positive", "materials");
  TL_TRY(const RefractiveIndex water, refractive_index("Water, Liquid", {}, energy));
  const double power = std::pow(number_ratio, 3.21);
  return water.attenuation * (compton_share(energy) * (1 - power) + power);
}

Result<std::vector<LabelMaterial>> parse_materials(const std::string& text) {
  std::vector<LabelMaterial> materials;
  std::istringstream entries(text);
  for (std::string entry; std::getline(entries, entry, ';');) {
    if (trimmed(entry).empty())
      return invalid("an entry of the materials is empty", "materials",
                     "Give one material for every label, such as: C5O2H8 1.18; Al");
    TL_TRY(LabelMaterial material, parse_material(std::string(trimmed(entry))));
    materials.push_back(std::move(material));
  }
  if (materials.empty())
    return invalid("no materials are given", "materials", "Give one for every label, such as: C5O2H8 1.18; Al");
  return materials;
}

Result<std::vector<std::vector<double>>> attenuations(const std::vector<LabelMaterial>& materials,
                                                      const std::vector<double>& energies) {
  std::vector<std::vector<double>> all;
  for (const LabelMaterial& material : materials) {
    if (!material.number_ratio) {
      TL_TRY(std::vector<double> one, attenuations(material.name, material.density, energies));
      all.push_back(std::move(one));
      continue;
    }
    std::vector<double>& one = all.emplace_back();
    for (const double energy : energies) {
      TL_TRY(const double attenuation, bilinear_attenuation(*material.number_ratio, energy));
      one.push_back(attenuation);
    }
  }
  return all;
}

}  // namespace tl
