// Scores of a single image without a reference: gradient energy, total variation, sharpness.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::ops {

// Volumes are [z, y, x], float32 or float64; results are 0-dim float64, differentiable (large volumes only once, see
// slab_sum.h), with sums in a fixed order. Differences are between neighbouring voxels, along every axis longer than
// one voxel.

// Mean over the voxels of the squared differences.
at::Tensor gradient_energy(const at::Tensor& volume);

// Mean over the voxels of sqrt(squared differences to the next voxel along each axis + epsilon^2) - epsilon: smoothed
// isotropic total variation (L. I. Rudin, S. Osher, E. Fatemi, Physica D 60, 1992). epsilon > 0 in the unit of the
// volume makes it differentiable everywhere.
at::Tensor total_variation_score(const at::Tensor& volume, double epsilon);

// Sharpness of an image, independent of its scale; 0 for a constant.
//   gradient: squared differences over the variance (J. M. Tenenbaum, 1970)
//   laplacian: squared second differences over the variance
//   variance: variance over the squared mean (F. C. A. Groen et al., Cytometry 6, 1985)
enum class SharpnessMeasure { gradient, laplacian, variance };
at::Tensor sharpness(const at::Tensor& volume, SharpnessMeasure measure);

}  // namespace tl::ops
