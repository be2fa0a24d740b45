// Random walker: every voxel gets the label whose seeds a random walk from it reaches first.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

enum class WalkerProbabilities { left_out, wanted };

struct RandomWalkerSpec {
  double beta = 130;         // the larger, the harder is a step between different values
  VoxelSize voxel;           // relative to the voxel for which beta is meant: edges of 2 act like a quarter of beta
  double tolerance = 1e-5;   // residual relative to the right-hand side, at which conjugate gradients end
  int64_t max_steps = 5000;  // per label
  WalkerProbabilities probabilities = WalkerProbabilities::left_out;
  CancelToken cancel;  // checked in every step
};

struct RandomWalk {
  at::Tensor labels;           // int32; -1 outside and where no seed can be reached
  at::Tensor probabilities;    // if requested: [label, z, y, x], in the type of the volume; 0 outside
  std::vector<int32_t> names;  // the labels in ascending order, as in `probabilities`
  int64_t steps = 0;           // steps of conjugate gradients, over all labels
  double residual = 0;         // the largest of the labels
};

// Labels of a volume (float32, float64) from seeds (int32): above 0 labels, 0 undecided, below 0 outside. A step from
// voxel i to its neighbour j has the weight exp(-beta ((v_i - v_j) / edge)^2 / (10 s)) + 1e-10, where s is the standard
// deviation of the volume and edge the relative voxel size along the step; 1 + 1e-10 in a uniform volume. L. Grady,
// IEEE Trans. Pattern Anal. Mach. Intell. 28, 1768 (2006). Conjugate gradients on the lattice, preconditioned by the
// diagonal, find the probabilities of all labels except the last, whose probability is the rest; among equal
// probabilities the smallest label is used. They start from a watershed, whose labels remain in parts that are
// separated from their surroundings by weights of 1e-10. Bit-identical for any number of threads. About 60 bytes per
// voxel of float32. Errors: invalid for shapes, types, values that are not finite, beta, voxel size, no seeds, seeds of
// a single label.
Result<RandomWalk> random_walker(const at::Tensor& volume, const at::Tensor& seeds, const RandomWalkerSpec& spec);

}  // namespace tl::ops
