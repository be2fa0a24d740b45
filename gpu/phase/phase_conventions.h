// Converts the strength of phase retrieval to the parameters of other packages.
#pragma once

namespace tl::ops {

// All of them filter with 1 / (1 + (delta/beta) pi lambda z f^2), f in cycles per length. nabu, this program and the
// papers use delta/beta. ASTRA has no phase retrieval.

// TomoPy, retrieve_phase(alpha): 1 / (lambda z f^2 / (4 pi) + alpha), divided by its largest value, so that alpha =
// (beta/delta) / (4 pi^2); its default 1e-3 is delta/beta = 25.33.
double tomopy_alpha(double delta_over_beta);
double ratio_of_tomopy_alpha(double alpha);

// PyHST, the Paganin length L in 1 / (1 + L^2 f^2): L = sqrt(pi lambda z delta/beta). energy [keV], distance
// (effective, z1 z2 / (z1 + z2)) and length in mm; PyHST's parameter file has um.
double paganin_length(double delta_over_beta, double energy, double distance);
double ratio_of_paganin_length(double length, double energy, double distance);

// UFO (tofu), regularization-rate: delta/beta = 10^rate.
double ufo_rate(double delta_over_beta);
double ratio_of_ufo_rate(double rate);

}  // namespace tl::ops
