// Forward differences of a volume as a linear operator, and the steps of total-variation methods that use them.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <limits>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/operator/linear_operator.h"

namespace tl::ops {

// What a difference along z, y and x is multiplied by: smallest voxel edge / voxel edge for oblong voxels. 1 for cubes.
using DifferenceWeights = std::array<double, 3>;

// [z, y, x] -> [3, z, y, x], the forward differences along z, y and x times their weights, 0 at the last voxel of each
// direction. adjoint: the exact transpose (minus the divergence). Errors: invalid (sizes, weights).
Result<OperatorPtr> make_gradient(const std::array<int64_t, 3>& shape, const DifferenceWeights& weights = {1, 1, 1});

// Bound of the largest singular value of the gradient: sqrt(4 sum of squared weights of the directions longer than 1).
double gradient_norm(const std::array<int64_t, 3>& shape, const DifferenceWeights& weights);

// Sum over voxels of |gradient|, all three components together (isotropic), in double, any number of threads.
double total_variation(const at::Tensor& x, const DifferenceWeights& weights);

// The two halves of primal-dual methods, fused so that every array is passed once. Tensors are contiguous, of one type;
// x, v: [z, y, x]; p, r: [3, z, y, x].

// p <- the nearest vectors of length <= radius to r + step * gradient(x); r <- p + momentum (p - p before). r may be p
// itself: there is no momentum then.
void tv_dual_step(at::Tensor& p, at::Tensor& r, const at::Tensor& x, const DifferenceWeights& weights, double step,
                  double radius, double momentum);

// v <- v - step * gradient*(p), clamped from below.
void tv_primal_step(at::Tensor& v, const at::Tensor& p, const DifferenceWeights& weights, double step,
                    double low = -std::numeric_limits<double>::infinity());

struct TvDenoising {
  DifferenceWeights weights{1, 1, 1};
  double strength = 0;
  double low = -std::numeric_limits<double>::infinity();
  int64_t steps = 10;  // at most
  // Ends earlier once a step changes the volume by no more than this share of its distance from `before` (both as root
  // of the sum of squares; looked at after two steps and after every four more). 0: never.
  double settled = 0;
  at::Tensor before;  // [z, y, x]; needed where settled > 0
  CancelToken cancel{};
  at::Tensor extrapolated;  // working memory like the dual, made when it is needed; keep it for the next call
};

// out <- argmin 1/2 |u - x|^2 + strength TV(u), u >= low, by a gradient projection on the dual and then fast ones
// (A. Beck and M. Teboulle, IEEE Trans. Image Process. 18, 2419 (2009)), in units where the dual vectors have length 1.
// dual: [3, z, y, x], where to start and where it ended; its components at the last voxel of their direction stay 0.
// out, x and before are [z, y, x] and share no memory. Answers the number of steps done. The same bits for any number
// of threads. A run that was cancelled leaves out and dual half done.
int64_t tv_denoise(at::Tensor& out, const at::Tensor& x, at::Tensor& dual, TvDenoising& task);

}  // namespace tl::ops
