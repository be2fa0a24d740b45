// Rotation axis from the quality of reconstructed slices: entropy or negative values.
#pragma once

#include "gpu/axis/axis_result.h"

namespace tl::ops {

// entropy: of the histogram of grey values, Donath, Beckmann and Schreyer, "Automated determination of the center of
// rotation in tomography data", J. Opt. Soc. Am. A 23, 1048 (2006); 64 bins over twice the range of values at the
// middle of the search, each value divided between two bins. negativity: the negative fraction of the absolute sum,
// since attenuation is never negative.
enum class ImageScore { entropy, negativity };

struct ImageScoreParams {
  AxisSearch search;
  ImageScore score = ImageScore::entropy;
  int64_t upsampling = 2;  // detector upsampling by Fourier transform, so that interpolation has no preferred position
  int64_t max_cols = 768;  // more columns are binned; above 720 views, some are skipped
};

// Slices are reconstructed from half a turn about each candidate: first all rows together at 80 columns, then each row
// near the common optimum, with a Hann window up to half the Nyquist frequency. Entropy is evaluated inside the circle
// that is in the field of view for all candidates, negative values inside the slice's inscribed circle. A full turn is
// treated as two half turns. Uncertainty: difference between two interleaved halves of the views, and scatter of the
// rows. The evidence curve is the score of the coarse slices relative to its largest value.
AxisResult axis_image(const at::Tensor& projections, const std::vector<double>& angles,
                      const ImageScoreParams& params = {});

}  // namespace tl::ops
