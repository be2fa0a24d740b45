// The spectrum of a beam: what a filter lets through, and the one energy that stands for all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl {

struct Spectrum;  // core/values/values.h

// What a detector adds up: photons, or the energy that they leave in it (a scintillator with a camera).
enum class DetectorResponse { counting, integrating };

struct BeamFilter {
  std::string material;  // as in refractive_index()
  std::optional<double> density;
  double thickness = 0;  // [mm], 0 = no filter
};

// Energies [keV] that rise, and as many weights >= 0 of any scale; at least one is above 0. Errors name the list.
Result<void> check_spectrum(const std::vector<double>& energies, const std::vector<double>& weights);

// Lambert-Beer at every energy: weight * exp(-mu(E) thickness), normalised to sum 1. Errors: as check_spectrum() and
// refractive_index(); invalid where nothing gets through.
Result<Spectrum> filtered_spectrum(const std::vector<double>& energies, const std::vector<double>& weights,
                                   const BeamFilter& filter);

// Mean energy [keV] of what the detector adds up: sum w E / sum w, or sum w E^2 / sum w E where it integrates energy.
// A thin object attenuates nearly as at this energy; beam hardening by a thick one is not described by any.
double effective_energy(const Spectrum& spectrum, DetectorResponse detector);

// Two columns of text, energy [keV] and weight, between blanks, tabs, commas or semicolons; lines that begin with a
// letter or with '#' are skipped. Errors name the line.
struct SpectrumColumns {
  std::vector<double> energies, weights;
};
Result<SpectrumColumns> parse_spectrum(const std::string& text);

}  // namespace tl
