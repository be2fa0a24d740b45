// How good a reconstructed slice looks, as one number: for sweeps of a parameter that people judge by eye as well.
#pragma once

#include "core/picture/image.h"

namespace tl::picture {

// Sum of the negative values over the sum of all magnitudes, 0 to 1; smaller is better: matter is never negative, but
// the streaks of a wrong rotation axis are (Donath, Beckmann, Schreyer, J. Opt. Soc. Am. A 23 (2006) 1048). Pixels that
// are no numbers are left out; a picture without magnitude gives 0.
double negative_share(const Image& image);

}  // namespace tl::picture
