// Morphological geodesic active contours: a contour that is attracted to edges.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

struct EdgeMapSpec {
  double alpha = 100;  // the larger, the smaller is the map at edges
  double sigma = 5;    // [voxels] of the Gaussian
  CancelToken cancel;  // checked between rows
};

// 1 / sqrt(1 + alpha |gradient of the volume, smoothed by a Gaussian of sigma voxels|): 1 in uniform parts, small at
// edges. The edge voxel is repeated beyond the borders; the Gaussian ends at 4 sigma. In the type of the volume
// (float32, float64). A part with edge_map_reach() more voxels around it, or up to the borders, gives the same values
// as the whole. Memory in addition to the volume: 32 bytes per voxel for float32, 24 for float64. Errors: invalid for
// shapes, types, values that are not finite, alpha < 0, sigma not positive or above 100.
Result<at::Tensor> edge_map(const at::Tensor& volume, const EdgeMapSpec& spec);

// Radius of the Gaussian in voxels. Sigma must be valid.
int64_t edge_map_reach(const EdgeMapSpec& spec);

struct GeodesicContourSpec {
  int64_t steps = 100;
  int64_t smoothing = 1;            // curvature steps in each
  double balloon = 0;               // positive: the contour grows in uniform parts; negative: it shrinks
  std::optional<double> threshold;  // edge map above threshold / |balloon| counts as uniform; empty: 40th percentile
  CancelToken cancel;               // checked in every step
};

// The mask (bool) after some steps from `start` (bool, of the shape of the edge map): the balloon force moves the
// contour where the map is uniform, the map's gradient attracts it to edges, then it is smoothed. V. Caselles, R.
// Kimmel and G. Sapiro, Int. J. Comput. Vis. 22, 61 (1997); the steps of P. Marquez-Neila, L. Baumela and L. Alvarez,
// IEEE Trans. Pattern Anal. Mach. Intell. 36, 2 (2014), as in scikit-image. Independent of the number of threads.
// Errors: invalid for shapes, types, values that are not finite, negative numbers of steps.
Result<at::Tensor> geodesic_contour(const at::Tensor& edges, const at::Tensor& start, const GeodesicContourSpec& spec);

}  // namespace tl::ops
