// Features of voxels: local properties at several scales, for classifiers.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/region.h"
#include "gpu/image/line_tile.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

// In the order of the features of one standard deviation. G is the volume smoothed by a Gaussian:
enum class FeatureKind {
  gaussian,    // G
  laplacian,   // the sum of the second derivatives of G
  gradient,    // the magnitude of the gradient of G
  structure,   // eigenvalues of the products of the gradient's components, smoothed by half the standard deviation
  hessian,     // eigenvalues of the second derivatives of G
  difference,  // G minus the volume smoothed with 0.66 of the standard deviation
};
inline constexpr int feature_kinds = 6;
std::string_view to_string(FeatureKind kind);

// Whether features are computed in each slice separately, or in the volume.
enum class FeatureSpan { slices, volume };

struct FeatureSpec {
  std::vector<FeatureKind> kinds{FeatureKind::gaussian,  FeatureKind::laplacian, FeatureKind::gradient,
                                 FeatureKind::structure, FeatureKind::hessian,   FeatureKind::difference};
  std::vector<double> sigmas{0.7, 1, 1.6, 3.5, 5, 10};  // standard deviations, in voxels of edge 1
  FeatureSpan span = FeatureSpan::slices;
  VoxelSize voxel;     // voxel edges: lengths have the same meaning along all axes, and on finer or coarser grids
  CancelToken cancel;  // checked between steps
};

// "gaussian 0.7", ..., "structure 1, largest", ...: the largest of two or three eigenvalues comes first.
std::vector<std::string> feature_names(const FeatureSpec& spec);
int64_t feature_count(const FeatureSpec& spec);

// How far from a voxel its features depend on the volume: Gaussians end at round(4 sigma) voxels along each axis,
// derivatives need one more.
Reach feature_reach(const FeatureSpec& spec);

// [feature, z, y, x] (float32) of the box z, y, x of a volume [z, y, x] (float32 or float64), ordered by sigma, then by
// kind. Derivatives are central differences of G, per edge of 1. The volume is mirrored at its borders with the edge
// voxel repeated; for a part of a larger volume that includes the reach around the box, features equal those of the
// whole bit for bit, for any number of threads. NaN spreads as far as the reach. Errors: invalid for shapes and types,
// no kinds, no sigmas, a sigma that is not above 0 or exceeds largest_reach, voxel sizes, a box outside the volume.
Result<at::Tensor> voxel_features(const at::Tensor& volume, Range z, Range y, Range x, const FeatureSpec& spec);

// Bytes that voxel_features() needs besides its result, for a volume with so many voxels.
int64_t feature_workspace(int64_t voxels, const FeatureSpec& spec);

}  // namespace tl::ops
