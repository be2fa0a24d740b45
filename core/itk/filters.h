// Filters that are ITK's own: curvature diffusion, objectness, geodesic level sets.
#pragma once

#include <cstdint>

#include "core/base/error.h"
#include "core/itk/call.h"

namespace tl::insight {

// All take finite values, write as many voxels as the volume has, give the same bits for any number of threads, and
// throw Failure{cancelled}. Errors: invalid for volumes of fewer than four voxels along an axis where a Gaussian is
// involved; what ITK says.

// Modified curvature diffusion (R. T. Whitaker, X. Xue, Variable-conductance, level-set curvature for image denoising,
// ICIP 2001): smooths along edges, not across them.
struct CurvatureDiffusion {
  int64_t steps = 5;
  double time_step = 0.0625;  // at most 1/16 for a stable solution, in squares of the smallest voxel edge
  double conductance = 1;     // edges with a gradient this many times the mean one are kept
};
Result<void> curvature_diffusion(const VolumeView& volume, const CurvatureDiffusion& spec, float* out,
                                 const Call& call);

// A. F. Frangi et al., Multiscale vessel enhancement filtering, MICCAI 1998, for objects of any dimension (L. Antiga,
// Generalizing vesselness with respect to dimensionality and shape, Insight Journal 2007), at one scale.
struct Objectness {
  int64_t dimension = 1;  // 0: blobs, 1: tubes, 2: plates
  bool is_bright = true;  // on a darker background
  double sigma = 1;       // of the Gaussian [voxels along x]
  double alpha = 0.5;     // larger: suppresses objects of more dimensions, such as plates among tubes, more
  double beta = 0.5;      // larger: lets objects of fewer dimensions, such as blobs among tubes, pass more
  double gamma = 5;       // strength of the second derivatives from which on it counts, in the unit of the volume
};
Result<void> objectness(const VolumeView& volume, const Objectness& spec, float* out, const Call& call);

// V. Caselles, R. Kimmel, G. Sapiro, Geodesic active contours, Int. J. Comput. Vis. 22, 61 (1997), as a sparse-field
// level set: the border of the start moves outwards at a speed that falls from 1 to 0 where the gradient rises.
struct GeodesicLevelSet {
  const uint8_t* start = nullptr;  // 1 inside, else 0; both occur
  int64_t steps = 200;
  double sigma = 1;        // of the Gaussian before the gradient [voxels along x]
  double edge = 0.1;       // the gradient at which the speed is a half [unit of the volume per voxel]
  double propagation = 1;  // outwards; below 0 inwards
  double curvature = 0.5;  // how much the border is smoothed
  double advection = 1;    // how much it is drawn to edges
  double settled = 1e-3;   // mean change of a step at which it ends [voxels]
};
// `out`: below 0 inside of the border, above outside, about the distance in voxels near it.
Result<void> geodesic_level_set(const VolumeView& volume, const GeodesicLevelSet& spec, float* out, const Call& call);

}  // namespace tl::insight
