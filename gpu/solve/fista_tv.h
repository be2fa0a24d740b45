// Total-variation reconstruction by FISTA: accelerated gradient steps, each denoised.
#pragma once

#include "gpu/solve/chambolle_pock.h"

namespace tl::solve {

struct FistaState {
  at::Tensor x, x_before;    // the last two estimates
  at::Tensor ax, ax_before;  // their projections
  at::Tensor dual;           // of the denoising, kept from one iteration to the next [3, z, y, x]
  double t = 1, momentum = 0;
  double norm = 0;  // of the operator
  int64_t iteration = 0;
};

struct FistaSpec {
  TvSpec tv;
  int64_t denoising = 10;  // inner iterations, at most
  // They end once they change the estimate by no more than this share of what the iteration does: few where the
  // smoothing is weak beside the data, all where it is strong. 0: all of them always.
  double settled = 0;
};

// Minimises 1/2 |A x - y|^2 + lambda sum |gradient x|, x >= 0 if wanted (A. Beck and M. Teboulle, SIAM J. Imaging Sci.
// 2, 183 (2009); the inner problem by their fast gradient projection, IEEE Trans. Image Process. 18, 2419 (2009),
// started from the last dual variables). Any linear operator onto [z, y, x]. Not monotone. One application and one
// adjoint per iteration, and a pass over the volume and its differences for every two inner iterations.
//
// objective: the sum that is minimised, after the iteration.
class FistaTv {
 public:
  FistaTv(Equations equations, const FistaSpec& spec);
  // From 0, or from a copy of `x`. norm: norm_bound(), computed here where 0.
  [[nodiscard]] FistaState start(const at::Tensor& x = {}, double norm = 0, const CancelToken& cancel = {}) const;
  void run(FistaState& state, const Loop& loop) const;

 private:
  Equations equations_;
  FistaSpec spec_;
  double data_squares_ = 0;
};

}  // namespace tl::solve
