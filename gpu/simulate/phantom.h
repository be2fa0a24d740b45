// Phantoms: sums of ellipsoids, boxes and rods, as volumes on any grid and as analytic projections in any geometry.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"

namespace tl::ops {

enum class Solid { ellipsoid, box };

// One homogeneous body; overlapping bodies add up. An infinite semi-axis (std::numeric_limits<double>::infinity())
// makes an ellipsoid an elliptic cylinder and a box a rod; two-dimensional phantoms are made this way.
struct Primitive {
  Solid solid = Solid::ellipsoid;
  Vec3 centre;                                                            // [mm]
  Vec3 half{1, 1, 1};                                                     // semi-axes along axes[0..2] [mm], > 0
  double value = 1;                                                       // added attenuation [1/mm]
  std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  // orthonormal directions of the body
};

struct Phantom {
  std::vector<Primitive> parts;
};

// All bodies shifted by `shift` [mm].
Phantom shifted(Phantom phantom, Vec3 shift);
// All bodies rotated about the z axis by `angle` [rad, from +x to +y].
Phantom turned(Phantom phantom, double angle);
// All values multiplied by `factor`.
Phantom with_values_scaled(Phantom phantom, double factor);

struct PhantomSampling {
  at::ScalarType dtype = at::kFloat;  // kFloat or kDouble
  int64_t per_axis = 1;               // samples per voxel edge, or rays per pixel edge; 1 = centre only
  CancelToken cancel;
};

// Mean value over each voxel, [z, y, x] in 1/mm, on any grid (oblique planes too). Thread-safe; bit-identical for any
// number of threads. Throws Failure{invalid} for invalid sizes, types or sample counts.
at::Tensor phantom_volume(const Phantom& phantom, const VolumeGrid& grid, const PhantomSampling& sampling = {});

// Exact line integrals, [view, row, col], dimensionless (1/mm times mm), ray by ray for any geometry. In a cone beam
// only the part of a body in front of the source counts; rays do not end at the detector, which may be on the axis.
// More than one ray per pixel edge gives the mean over the pixel (ground truth for area detectors).
at::Tensor phantom_projections(const Phantom& phantom, const ScanGeometry& geometry,
                               const PhantomSampling& sampling = {});

}  // namespace tl::ops
