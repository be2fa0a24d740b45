// Converts delta/beta to the phase-retrieval parameters of other packages and back.
#include "gpu/phase/phase_conventions.h"

#include <cmath>

#include "core/base/units.h"
#include "gpu/phase/paganin.h"

namespace tl::ops {

double tomopy_alpha(double delta_over_beta) { return 1 / (4 * pi * pi * delta_over_beta); }
double ratio_of_tomopy_alpha(double alpha) { return 1 / (4 * pi * pi * alpha); }

double paganin_length(double delta_over_beta, double energy, double distance) {
  return std::sqrt(pi * wavelength(energy) * distance * delta_over_beta);
}
double ratio_of_paganin_length(double length, double energy, double distance) {
  return length * length / (pi * wavelength(energy) * distance);
}

double ufo_rate(double delta_over_beta) { return std::log10(delta_over_beta); }
double ratio_of_ufo_rate(double rate) { return std::pow(10, rate); }

}  // namespace tl::ops
