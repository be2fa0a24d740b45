// Forward differences of a volume as a linear operator, and steps of total-variation methods.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <limits>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// Factors of the differences along z, y and x: smallest voxel edge / voxel edge for non-cubic voxels, 1 for cubes.
using DifferenceWeights = std::array<double, 3>;

// [z, y, x] -> [3, z, y, x], the forward differences along z, y and x times their weights, 0 at the last voxel along
// each direction. adjoint: the exact transpose (minus the divergence). Errors: invalid (sizes, weights).
Result<OperatorPtr> make_gradient(const std::array<int64_t, 3>& shape, const DifferenceWeights& weights = {1, 1, 1});

// Upper bound of the gradient's largest singular value: sqrt(4 sum of squared weights of the directions longer than 1).
double gradient_norm(const std::array<int64_t, 3>& shape, const DifferenceWeights& weights);

// Sum over voxels of |gradient| with all three components (isotropic), in double, independent of the number of threads.
double total_variation(const at::Tensor& x, const DifferenceWeights& weights);

// The two steps of primal-dual methods, fused so that every array is read and written once. Tensors are contiguous, of
// the same type; x, v: [z, y, x]; p, r: [3, z, y, x].

// p <- r + step * gradient(x), each vector shortened to length <= radius; r <- p + momentum (p - previous p). If r is p
// itself there is no momentum.
void tv_dual_step(at::Tensor& p, at::Tensor& r, const at::Tensor& x, const DifferenceWeights& weights, double step,
                  double radius, double momentum);

// v <- v - step * gradient*(p), clamped from below.
void tv_primal_step(at::Tensor& v, const at::Tensor& p, const DifferenceWeights& weights, double step,
                    double low = -std::numeric_limits<double>::infinity());

struct TvDenoising {
  DifferenceWeights weights{1, 1, 1};
  double strength = 0;
  double low = -std::numeric_limits<double>::infinity();
  int64_t steps = 10;  // largest number of steps
  // Stops early if a step changes the volume by no more than this fraction of its distance from `before` (both as root
  // of the sum of squares; checked after two steps and after every four more). 0: never.
  double settled = 0;
  at::Tensor before;  // [z, y, x]; required if settled > 0
  CancelToken cancel{};
  at::Tensor extrapolated;  // working memory like the dual, allocated when needed; pass it on to the next call
};

// out <- argmin 1/2 |u - x|^2 + strength TV(u), u >= low, by gradient projection on the dual, accelerated from the
// second step on (A. Beck and M. Teboulle, IEEE Trans. Image Process. 18, 2419 (2009)), scaled so that dual vectors
// have length up to 1. dual: [3, z, y, x], start value and result; its components at the last voxel along their
// direction stay 0. out, x and before are [z, y, x] and must not share memory. Returns the number of steps.
// Bit-identical for any number of threads. After cancellation, out and dual are incomplete.
// The momentum factor after each of its first steps is that of denoising_momenta().
int64_t tv_denoise(at::Tensor& out, const at::Tensor& x, at::Tensor& dual, TvDenoising& task);

std::vector<double> denoising_momenta(int64_t steps);

}  // namespace tl::ops
