// Image quality of a reconstructed slice as a single number, for sweeps of a parameter.
#pragma once

#include "core/picture/image.h"

namespace tl::picture {

// Sum of the magnitudes of negative values over the sum of all magnitudes, 0 to 1; smaller is better: attenuation is
// never negative, but the streaks of a wrong rotation axis are (Donath, Beckmann, Schreyer, J. Opt. Soc. Am. A 23
// (2006) 1048). Non-finite pixels are ignored; 0 if all pixels are zero.
double negative_share(const Image& image);
// Energy of the differences between neighbouring pixels divided by the variance, 0 for uniform images: sharp edges
// increase it, and so does noise. Pairs with a non-finite pixel are ignored.
double edge_share(const Image& image);

}  // namespace tl::picture
