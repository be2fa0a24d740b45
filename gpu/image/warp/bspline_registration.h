// Registration of one volume to another by a displacement field of cubic B-splines.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <functional>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

enum class Likeness { mean_squares, correlation, mutual_information };

struct BSplineRegistrationSpec {
  at::Tensor fixed, moving;  // float32 [z, y, x], finite
  at::Tensor mask;           // bool, of the fixed voxels to compare; undefined: all
  // Initial position of each fixed voxel: fractional indices z, y, x of the moving volume, float64 [3, z, y,
  // x].
  at::Tensor start;
  // Indices z, y, x of the moving volume (rows) per voxel of displacement along z, y, x of the fixed grid.
  std::array<double, 9> to_moving = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Likeness likeness = Likeness::mean_squares;
  std::array<double, 3> spacing = {12, 12, 12};  // distance of control points along z, y, x [voxels]
  // Weight of the mean square of the second differences of neighbouring control points [1/voxel^2], which keeps the
  // field smooth where the volumes have no structure.
  double stiffness = 1e-4;
  int64_t coarsest = 8, finest = 1;  // levels: binning factors, powers of 2
  double smoothing = 0.7;            // standard deviation of the Gaussian before comparing [voxels of the level]
  int64_t most_steps = 60;           // largest number of optimiser steps per level
  CancelToken cancel;
  std::function<void(double share)> progress;
};

struct BSplineRegistration {
  at::Tensor points;              // control points, float64 [3, cz, cy, cx]: displacement along z, y, x [voxels]
  at::Tensor displacement;        // float64 [3, z, y, x], along z, y, x [voxels]
  std::array<double, 3> sigma{};  // rms over the fixed voxels along z, y, x, from two halves of them [voxels]
  bool converged = false;
  double loss = 0, overlap = 0;  // overlap: share of the fixed voxels that are inside the moving volume
};

// L-BFGS through the gradient of the sampled volume (D. Rueckert et al., IEEE Trans. Med. Imaging 18, 712, 1999). The
// time does not depend on the number of control points. The same bits for any number of threads. Errors: invalid for
// volumes that do not overlap or more control points than voxels; throws Failure{cancelled}.
Result<BSplineRegistration> register_bspline(const BSplineRegistrationSpec& spec);

}  // namespace tl::ops
