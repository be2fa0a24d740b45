// Total-variation reconstruction by the primal-dual method of Chambolle and Pock.
#pragma once

#include <array>

#include "gpu/image/total_variation/total_variation.h"
#include "gpu/solve/solve.h"

namespace tl::solve {

enum class Sign { any, non_negative };
// Lengths of the dual steps for the data. equal: the same for all. filtered: by a ramp filter along the detector
// columns.
enum class DualSteps { equal, filtered };

struct TvSpec {
  double lambda = 0;  // weight of the total variation, >= 0
  Sign sign = Sign::any;
  ops::DifferenceWeights weights{1, 1, 1};
  DualSteps steps = DualSteps::equal;  // only for the Chambolle-Pock method
};

struct ChambollePockState {
  at::Tensor x, x_bar;    // estimate and its extrapolation
  at::Tensor ax, ax_bar;  // projections of both
  at::Tensor p, q;        // dual variables of the data and of the normalized gradient [3, z, y, x]
  double norm = 0;        // norm of the operator
  int64_t iteration = 0;
  double filtered_norm = 0;  // norm of filtered_operator(); only for DualSteps::filtered
};

// The factors of one iteration, with r = A x_bar - y:
//   p <- keep p + add r, or p <- r + F (p - r) where F multiplies every frequency of a row by `response`;
//   q <- (q + dual gradient(x_bar)), shortened to length lambda * radius;
//   x <- max(low, x - primal_data A* p - primal_gradient gradient* q).
struct PrimalDualFactors {
  double keep = 0, add = 0;
  at::Tensor response;  // defined for DualSteps::filtered
  double dual = 0, radius = 0, primal_data = 0, primal_gradient = 0, low = 0;
};
// cols: the length of the last dimension of the operator's range. norms: as in the state.
PrimalDualFactors primal_dual_factors(const TvSpec& spec, const std::array<int64_t, 3>& volume, int64_t cols,
                                      const at::TensorOptions& options, double norm, double filtered_norm);
// Every row (last dimension) of p through a response at the frequencies of its own length, as on a circle.
at::Tensor filtered_rows(const at::Tensor& p, const at::Tensor& response);
// The operator followed by the square root of the steps' ramp filter: its norm bounds the steps.
OperatorPtr filtered_operator(OperatorPtr op, const at::TensorOptions& options);

// Minimises 1/2 |A x - y|^2 + lambda sum |gradient x| (isotropic, all three components), optionally subject to x >= 0
// (A. Chambolle and T. Pock, J. Math. Imaging Vis. 40, 120 (2011), algorithm 1; E. Y. Sidky, J. H. Jorgensen and X.
// Pan, Phys. Med. Biol. 57, 3065 (2012)), with step sizes tau = sigma = 1/L and theta = 1. Internally the operator and
// the gradient are each divided by their norms, so that both have equal weight and L = |(A / |A|, gradient /
// |gradient|)| <= sqrt(2). For any linear operator with domain [z, y, x]. The method is not monotone: single iterations
// may raise the objective. One application and one adjoint per iteration.
//
// DualSteps::filtered preconditions it (T. Pock and A. Chambolle, ICCV 2011, 1762: step lengths that differ between the
// dual variables), not by a diagonal but by a ramp over the frequencies of every row, from 0.02 at 0 to 1.02 at
// Nyquist. After it A* A is nearly the identity, as in filtered back-projection, so that 60 iterations are closer to
// the minimum than 400 with equal steps where the smoothing is weak; the minimum is the same. The ranges' last
// dimension is taken for the rows. One more Fourier transform per row and iteration.
//
// objective: the minimised sum, after the iteration.
class ChambollePock {
 public:
  ChambollePock(Equations equations, const TvSpec& spec);
  // Starts from 0, or from a copy of `x`. norm and filtered_norm: from norm_bound(); computed here if 0.
  [[nodiscard]] ChambollePockState start(const at::Tensor& x = {}, double norm = 0, const CancelToken& cancel = {},
                                         double filtered_norm = 0) const;
  void run(ChambollePockState& state, const IterationControl& loop) const;

 private:
  Equations equations_;
  TvSpec spec_;
  double data_squares_ = 0;
};

// Throws Failure{invalid} unless lambda and weights are valid and the operator's domain is [z, y, x].
void require_tv(const TvSpec& spec, const Equations& equations, const char* where);

}  // namespace tl::solve
