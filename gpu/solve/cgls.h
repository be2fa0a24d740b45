// CGLS: conjugate gradients on the normal equations of a least-squares problem.
#pragma once

#include "gpu/solve/solve.h"

namespace tl::solve {

// joint: one system. by_slice: slice k of x [z, y, x] depends only on row rows-1-k of y [view, row, col], as in an
// untilted parallel beam; every slice is a separate system with its own step lengths, so that a slab gives the same
// result as the whole volume. z must equal rows.
enum class Coupling { joint, by_slice };

struct CglsState {
  at::Tensor x;
  at::Tensor residual;   // y - A x, by recursion
  at::Tensor direction;  // p
  at::Tensor gamma;      // |A* (y - A x)|^2 of each system, float64
  int64_t iteration = 0;
};

// Minimises |y - A x|; after n iterations x is optimal in the Krylov space of dimension n around the start (M. R.
// Hestenes and E. Stiefel, J. Res. Natl. Bur. Stand. 49, 409 (1952); A. Bjorck, "Numerical Methods for Least Squares
// Problems" (1996), section 7.4). For any linear operator. Inner products in double. Estimates are not clamped, which
// would destroy the conjugacy. objective: 1/2 |y - A x|^2, after the iteration; except for rounding it never grows. If
// gamma is 0 the solution is reached and later iterations change nothing.
class Cgls {
 public:
  explicit Cgls(Equations equations, Coupling coupling = Coupling::joint);
  // Starts from 0, or from a copy of `x`; the residual is then y - A x.
  [[nodiscard]] CglsState start(const at::Tensor& x = {}) const;
  void run(CglsState& state, const IterationControl& loop) const;

 private:
  [[nodiscard]] at::Tensor volume_squares(const at::Tensor& x) const;  // of each system, float64
  [[nodiscard]] at::Tensor data_squares(const at::Tensor& y) const;
  [[nodiscard]] at::Tensor broadcast_to_volume(const at::Tensor& factors) const;  // one factor per system
  [[nodiscard]] at::Tensor broadcast_to_data(const at::Tensor& factors) const;

  Equations equations_;
  Coupling coupling_;
  double data_squares_ = 0;
};

}  // namespace tl::solve
