// ML-EM, and with ordered subsets OS-EM: multiplicative updates that keep the volume non-negative.
#pragma once

#include <vector>

#include "gpu/solve/solve.h"

namespace tl::solve {

struct EmState {
  at::Tensor x;
  int64_t iteration = 0;
};

// x <- x * A* (y / A x) / A* 1 (L. A. Shepp and Y. Vardi, IEEE Trans. Med. Imaging 1, 113 (1982)); an iteration goes
// through all subsets (H. M. Hudson and R. S. Larkin, IEEE Trans. Med. Imaging 13, 601 (1994)). It maximises the
// likelihood of Poisson data y; entries of A must not be negative. Negative data (noise) counts as 0, a ray that meets
// no voxel is left out, a voxel that no ray meets becomes 0, one that a subset does not see keeps its value in it.
//
// objective: sum of y ln(y / A x) - y + A x, the divergence that is the negative log-likelihood up to a constant; with
// one subset it never grows. Residual and objective belong to the estimates before their update.
class Em {
 public:
  // Keeps one volume per subset (its column sums). Failure{invalid} for equations that do not fit.
  explicit Em(std::vector<Equations> equations, const CancelToken& cancel = {});
  // From 1 everywhere (any constant gives the same estimates), or from a copy of `x`, whose values up to 0 stay 0.
  [[nodiscard]] EmState start(const at::Tensor& x = {}) const;
  void run(EmState& state, const Loop& loop) const;

 private:
  std::vector<Equations> equations_;  // data not below 0
  std::vector<at::Tensor> inverse_sums_;
  std::vector<at::Tensor> unseen_;  // 1 where a subset does not see a voxel; undefined where it sees all
  at::Tensor seen_;                 // 1 where any subset sees a voxel
  double data_squares_ = 0;
};

}  // namespace tl::solve
