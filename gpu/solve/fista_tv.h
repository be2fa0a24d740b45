// Total-variation reconstruction by monotone FISTA: accelerated gradient steps, each denoised.
#pragma once

#include "gpu/solve/chambolle_pock.h"

namespace tl::solve {

struct FistaState {
  at::Tensor x, x_before;    // the last two estimates; x_before is working memory where momentum is 0
  at::Tensor ax, ax_before;  // their projections
  at::Tensor dual;           // of the denoising, kept from one iteration to the next [3, z, y, x]
  double t = 1, momentum = 0;
  double norm = 0;       // of the operator
  double objective = 0;  // of x
  int64_t rejected = 0;  // steps not taken since the last one that was
  int64_t iteration = 0;
};

// guarded: full momentum, and no step that raises the objective. limited: at most a half, every step taken, so that no
// sum over the whole volume decides and slices that share nothing come out alike in any block; not monotone, and slower
// where the smoothing is weak.
enum class MomentumRule { guarded, limited };

struct FistaSpec {
  TvSpec tv;
  int64_t denoising = 10;  // inner iterations, at most
  // They end once they change the estimate by no more than this share of what the iteration does: few where the
  // smoothing is weak beside the data, all where it is strong. 0: all of them always.
  double settled = 0;
  MomentumRule momentum = MomentumRule::guarded;
};

// Minimises 1/2 |A x - y|^2 + lambda sum |gradient x|, x >= 0 if wanted (A. Beck and M. Teboulle, SIAM J. Imaging Sci.
// 2, 183 (2009); the monotone form and the inner problem by their fast gradient projection, IEEE Trans. Image Process.
// 18, 2419 (2009), started from the last dual variables). Any linear operator onto [z, y, x].
//
// The inner problem is solved by a few steps, not exactly, and momentum adds such errors up: without a guard the
// objective settles per cent above its minimum. So a step that would raise the objective is not taken: the momentum
// begins anew (B. O'Donoghue and E. Candes, Found. Comput. Math. 15, 715 (2015)) with a plain gradient step from the
// same estimate and the dual variables found so far; after two in a row the denoising takes all its steps. The
// objective never grows and goes to its minimum for any number of inner iterations; fewer of them need more iterations.
// One application and one adjoint per iteration, a pass over the volume and its differences for every two inner
// iterations, and one for the objective.
//
// objective: the sum that is minimised, after the iteration.
class FistaTv {
 public:
  FistaTv(Equations equations, const FistaSpec& spec);
  // From 0, or from a copy of `x`. norm: norm_bound(), computed here where 0.
  [[nodiscard]] FistaState start(const at::Tensor& x = {}, double norm = 0, const CancelToken& cancel = {}) const;
  void run(FistaState& state, const Loop& loop) const;

 private:
  [[nodiscard]] double objective(const at::Tensor& x, double residual_squares) const;

  Equations equations_;
  FistaSpec spec_;
  double data_squares_ = 0;
};

}  // namespace tl::solve
