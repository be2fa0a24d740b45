// Total-variation reconstruction by monotone FISTA: accelerated gradient steps, each followed by denoising.
#pragma once

#include "gpu/solve/chambolle_pock.h"

namespace tl::solve {

struct FistaState {
  at::Tensor x, x_before;    // the last two estimates; x_before is working memory while momentum is 0
  at::Tensor ax, ax_before;  // their projections
  at::Tensor dual;           // dual variables of the denoising, reused by the next iteration [3, z, y, x]
  double t = 1, momentum = 0;
  double norm = 0;       // norm of the operator
  double objective = 0;  // for x
  int64_t rejected = 0;  // consecutive rejected steps
  int64_t iteration = 0;
};

// guarded: full momentum; steps that increase the objective are rejected. limited: momentum of at most a half, every
// step accepted; since no sum over the whole volume is needed, independent slices give the same result in any block.
// Not monotone, and slower if the smoothing is weak.
enum class MomentumRule { guarded, limited };

struct FistaSpec {
  TvSpec tv;
  int64_t denoising = 10;  // largest number of inner iterations
  // Inner iterations stop if they change the estimate by no more than this fraction of the whole iteration's change:
  // early if the smoothing is weak, never if it is strong. 0: never.
  double settled = 0;
  MomentumRule momentum = MomentumRule::guarded;
};

// Step length and weights of one iteration, for repeating it later.
struct FistaStep {
  double momentum = 0;    // of the extrapolation from which it started
  int64_t denoising = 0;  // inner iterations
  bool taken = true;
};

// Minimises 1/2 |A x - y|^2 + lambda sum |gradient x|, optionally subject to x >= 0 (A. Beck and M. Teboulle, SIAM J.
// Imaging Sci. 2, 183 (2009); the monotone form and the inner problem by their fast gradient projection, IEEE Trans.
// Image Process. 18, 2419 (2009), started from the last dual variables). For any linear operator with domain [z, y, x].
//
// The inner problem is solved by a few steps only, and momentum accumulates the errors: without a guard the objective
// stagnates some per cent above its minimum. Therefore a step that would raise the objective is rejected: the momentum
// restarts (B. O'Donoghue and E. Candes, Found. Comput. Math. 15, 715 (2015)) with a plain gradient step from the same
// estimate and the current dual variables; after two consecutive rejections the denoising takes all its steps. The
// objective never grows and converges to its minimum for any number of inner iterations; with fewer of them more
// iterations are needed. Per iteration: one application, one adjoint, a pass over the volume and its differences for
// every two inner iterations, and one for the objective.
//
// objective: the minimised sum, after the iteration.
class FistaTv {
 public:
  FistaTv(Equations equations, const FistaSpec& spec);
  // Starts from 0, or from a copy of `x`. norm: from norm_bound(); computed here if 0.
  [[nodiscard]] FistaState start(const at::Tensor& x = {}, double norm = 0, const CancelToken& cancel = {}) const;
  // course: if given, a record of every iteration is appended to it.
  void run(FistaState& state, const IterationControl& loop, std::vector<FistaStep>* course = nullptr) const;

 private:
  [[nodiscard]] double objective(const at::Tensor& x, double residual_squares) const;

  Equations equations_;
  FistaSpec spec_;
  double data_squares_ = 0;
};

}  // namespace tl::solve
