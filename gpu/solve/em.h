// ML-EM and, with ordered subsets, OS-EM: multiplicative updates that keep the volume non-negative.
#pragma once

#include <vector>

#include "gpu/solve/solve.h"

namespace tl::solve {

struct EmState {
  at::Tensor x;
  int64_t iteration = 0;
};

// x <- x * A* (y / A x) / A* 1 (L. A. Shepp and Y. Vardi, IEEE Trans. Med. Imaging 1, 113 (1982)); an iteration
// processes all subsets (H. M. Hudson and R. S. Larkin, IEEE Trans. Med. Imaging 13, 601 (1994)). Maximises the
// likelihood of Poisson data y; entries of A must not be negative. Negative data (noise) count as 0. Rays that miss all
// voxels are ignored; voxels missed by all rays become 0, voxels missed by a subset keep their value in it.
//
// objective: sum of y ln(y / A x) - y + A x, the divergence, which is the negative log-likelihood up to a constant;
// with one subset it never grows. Residual and objective are those of the estimates before their update.
class Em {
 public:
  // Stores one volume per subset (its column sums). Throws Failure{invalid} for equations that do not match.
  explicit Em(std::vector<Equations> equations, const CancelToken& cancel = {});
  // Starts from 1 everywhere (any constant gives the same estimates), or from a copy of `x`, whose values <= 0 stay 0.
  [[nodiscard]] EmState start(const at::Tensor& x = {}) const;
  void run(EmState& state, const IterationControl& loop) const;

 private:
  std::vector<Equations> equations_;  // data clamped to >= 0
  std::vector<at::Tensor> inverse_sums_;
  std::vector<at::Tensor> unobserved_;  // 1 where no ray of a subset crosses the voxel; undefined if none
  at::Tensor observed_;                 // 1 where rays of at least one subset intersect the voxel
  double data_squares_ = 0;
};

}  // namespace tl::solve
