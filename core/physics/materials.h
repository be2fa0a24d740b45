// Materials: refractive index and attenuation of compounds, from xraylib's tables.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"

namespace tl {

// n = 1 - delta + i beta. beta follows from the total attenuation: attenuation = 4 pi beta / lambda.
struct RefractiveIndex {
  double delta = 0, beta = 0;
  double attenuation = 0;  // mu [1/mm]
  double density = 0;      // density used [g/cm3]
};

// `material` is a chemical formula ("CaCO3") or a NIST name ("Water, Liquid"). A compound's formula needs a density
// [g/cm3]; elements ("Al") and NIST names have a tabulated one, which `density` overrides. Energy in keV, 1 to 200.
// Errors: invalid, naming what is missing.
Result<RefractiveIndex> refractive_index(const std::string& material, const std::optional<double>& density,
                                         double energy);

// Attenuation by the photoelectric effect only [1/mm]. Arguments and errors as above.
Result<double> photo_absorption(const std::string& material, const std::optional<double>& density, double energy);

}  // namespace tl
