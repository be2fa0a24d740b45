// Total-variation reconstruction by the primal-dual method of Chambolle and Pock.
#pragma once

#include "gpu/image/total_variation.h"
#include "gpu/solve/solve.h"

namespace tl::solve {

enum class Sign { any, non_negative };

struct TvSpec {
  double lambda = 0;  // weight of the total variation, >= 0
  Sign sign = Sign::any;
  ops::DifferenceWeights weights{1, 1, 1};
};

struct ChambollePockState {
  at::Tensor x, x_bar;    // estimate and its extrapolation
  at::Tensor ax, ax_bar;  // projections of both
  at::Tensor p, q;        // dual variables of the data and of the normalized gradient [3, z, y, x]
  double norm = 0;        // norm of the operator
  int64_t iteration = 0;
};

// Minimises 1/2 |A x - y|^2 + lambda sum |gradient x| (isotropic, all three components), optionally subject to x >= 0
// (A. Chambolle and T. Pock, J. Math. Imaging Vis. 40, 120 (2011), algorithm 1; E. Y. Sidky, J. H. Jorgensen and X.
// Pan, Phys. Med. Biol. 57, 3065 (2012)), with step sizes tau = sigma = 1/L and theta = 1. Internally the operator and
// the gradient are each divided by their norms, so that both have equal weight and L = |(A / |A|, gradient /
// |gradient|)| <= sqrt(2). For any linear operator with domain [z, y, x]. The method is not monotone: single iterations
// may raise the objective. One application and one adjoint per iteration.
//
// objective: the minimised sum, after the iteration.
class ChambollePock {
 public:
  ChambollePock(Equations equations, const TvSpec& spec);
  // Starts from 0, or from a copy of `x`. norm: from norm_bound(); computed here if 0.
  [[nodiscard]] ChambollePockState start(const at::Tensor& x = {}, double norm = 0,
                                         const CancelToken& cancel = {}) const;
  void run(ChambollePockState& state, const IterationControl& loop) const;

 private:
  Equations equations_;
  TvSpec spec_;
  double gradient_norm_ = 0, data_squares_ = 0;
};

// Throws Failure{invalid} unless lambda and weights are valid and the operator's domain is [z, y, x].
void require_tv(const TvSpec& spec, const Equations& equations, const char* where);

}  // namespace tl::solve
