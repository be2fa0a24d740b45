// Spectrum of a beam: filtering by materials, and the effective energy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl {

struct Spectrum;  // core/values/values.h

// Signal of a detector: the number of photons, or the energy that they deposit (a scintillator with a camera).
enum class DetectorResponse { counting, integrating };

struct BeamFilter {
  std::string material;  // as in refractive_index()
  std::optional<double> density;
  double thickness = 0;  // [mm], 0 = no filter
};

// Invalid, naming the list, unless energies [keV] are strictly increasing and there are as many weights >= 0 of any
// scale, at least one above 0.
Result<void> check_spectrum(const std::vector<double>& energies, const std::vector<double>& weights);

// Lambert-Beer law at every energy: weight * exp(-mu(E) thickness), normalised to sum 1. Errors: those of
// check_spectrum() and refractive_index(); invalid if nothing is transmitted.
Result<Spectrum> filtered_spectrum(const std::vector<double>& energies, const std::vector<double>& weights,
                                   const BeamFilter& filter);

// Mean energy [keV] of the detected signal: sum w E / sum w, or sum w E^2 / sum w E for an energy-integrating detector.
// A thin object attenuates approximately as at this energy; beam hardening in a thick one cannot be described by a
// single energy.
double effective_energy(const Spectrum& spectrum, DetectorResponse detector);

// Parses two columns of text, energy [keV] and weight, separated by blanks, tabs, commas or semicolons; lines that
// begin with a letter or '#' are skipped. Errors name the line.
struct SpectrumColumns {
  std::vector<double> energies, weights;
};
Result<SpectrumColumns> parse_spectrum(const std::string& text);

}  // namespace tl
