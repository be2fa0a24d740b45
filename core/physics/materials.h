// Materials: refractive index and attenuation of compounds, from xraylib's tables.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"

namespace tl {

// n = 1 - delta + i beta. beta is that of the total attenuation: attenuation = 4 pi beta / lambda.
struct RefractiveIndex {
  double delta = 0, beta = 0;
  double attenuation = 0;  // mu [1/mm]
  double density = 0;      // [g/cm3] that was used
};

// `material` is a chemical formula ("CaCO3") or a NIST name ("Water, Liquid"); a formula needs a density [g/cm3], an
// element ("Al") and a NIST name have one of their own unless another is given. Energy in keV, 1 to 200. Errors:
// invalid with what is missing.
Result<RefractiveIndex> refractive_index(const std::string& material, const std::optional<double>& density,
                                         double energy);

}  // namespace tl
