// X-ray tubes: spectra by Kramers' law after filters, as recorded by a scintillator; and materials of labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/physics/spectrum.h"

namespace tl {

// A tube whose photons pass one filter and are recorded by a scintillator that integrates their energy.
struct TubeSpec {
  double voltage = 60;  // [kV]: the highest energy in keV
  double lowest = 5;    // [keV], 1 or more
  int64_t energies = 128;
  BeamFilter filter{"Al", 2.7, 2.5};
  BeamFilter scintillator{"CsI", 4.51, 0.5};  // thickness 0: every photon is absorbed
};

inline constexpr int64_t max_energies = 4096;

// `count` equidistant energies [keV] with both ends. Errors: invalid unless 1 <= lowest < highest <= 200 and count is 2
// to max_energies.
Result<std::vector<double>> equidistant_energies(double lowest, double highest, int64_t count);

// Number of photons of a thick target at an energy, in any unit: voltage / energy - 1, and 0 above the voltage (H. A.
// Kramers, Phil. Mag. 46, 836 (1923)).
double kramers_spectrum(double voltage, double energy);

// The signal of a scintillator for one photon of each energy: its energy times the share of photons absorbed by the
// photoelectric effect, (1 - exp(-mu_photo thickness)) E [keV]. Errors: those of refractive_index().
Result<std::vector<double>> scintillator_response(const std::vector<double>& energies, const BeamFilter& scintillator);

// The recorded signal at each energy, sum 1. Errors: invalid for the voltage, the energies, materials, and if nothing
// gets through the filter.
Result<Spectrum> tube_spectrum(const TubeSpec& tube);

// Attenuation [1/mm] of a material at each energy.
Result<std::vector<double>> attenuations(const std::string& material, const std::optional<double>& density,
                                         const std::vector<double>& energies);

// Share of Compton scattering in bilinear_attenuation(): 1 / (1 + 12179 E^-2.8), E in keV.
double compton_share(double energy);
// Attenuation [1/mm] of soft tissue and bone by the ratio of their effective atomic number to that of water (Martinez
// et al., J. Appl. Clin. Med. Phys. 13 (2012)): mu_water (a (1 - z^3.21) + z^3.21) with a of compton_share().
Result<double> bilinear_attenuation(double number_ratio, double energy);

// The material of each label: "C5O2H8 1.18; Al" is label 1, PMMA of 1.18 g/cm3, and label 2, aluminium. An entry is a
// formula or a NIST name, and a density if the tables have none, or "bilinear" and the ratio of bilinear_attenuation().
// Label 0 is air. Errors: invalid for an empty list or entry.
struct LabelMaterial {
  std::string name;
  std::optional<double> density;       // [g/cm3]
  std::optional<double> number_ratio;  // ratio of bilinear_attenuation(), instead of name and density
};
Result<std::vector<LabelMaterial>> parse_materials(const std::string& text);
// Attenuation [1/mm] of label m + 1 at each energy, by m.
Result<std::vector<std::vector<double>>> attenuations(const std::vector<LabelMaterial>& materials,
                                                      const std::vector<double>& energies);

}  // namespace tl
