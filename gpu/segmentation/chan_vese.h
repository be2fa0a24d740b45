// Morphological Chan-Vese: a contour between two regions of different mean, without edges.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

struct ChanVeseSpec {
  int64_t steps = 100;
  int64_t smoothing = 1;           // number of curvature steps in each; 1 to 4 are usual
  double inside = 1, outside = 1;  // weights of the squared differences from the means (lambda 1, lambda 2)
  CancelToken cancel;              // checked in every step
};

// The mask (bool) after some steps from `start` (bool, of the volume's shape): at the contour, voxels are assigned to
// the region with the nearer mean, then the contour is smoothed. T. F. Chan and L. A. Vese, IEEE Trans. Image Process.
// 10, 266 (2001); the steps of P. Marquez-Neila, L. Baumela and L. Alvarez, IEEE Trans. Pattern Anal. Mach. Intell. 36,
// 2 (2014), as in scikit-image. In a uniform volume only smoothing has an effect. Independent of the number of threads.
// Errors: invalid for shapes, types, values that are not finite, negative numbers, infinite weights.
Result<at::Tensor> chan_vese(const at::Tensor& volume, const at::Tensor& start, const ChanVeseSpec& spec);

}  // namespace tl::ops
