// SIRT and, with ordered subsets, SART and OS-SART: weighted gradient steps on the equations.
#pragma once

#include <optional>
#include <vector>

#include "gpu/solve/solve.h"

namespace tl::solve {

struct SirtSpec {
  double relaxation = 1;            // in (0, 2)
  std::optional<double> low, high;  // limits to which every estimate is clamped
};

struct SirtState {
  at::Tensor x;
  int64_t iteration = 0;
};

// x <- x + relaxation C A* R (y - A x) with R = 1 / row sums, C = 1 / column sums, or 0 for zero sums (P. Gilbert, J.
// Theor. Biol. 36, 105 (1972)). With several subsets an iteration processes all of them (SART, A. H. Andersen and A. C.
// Kak, Ultrasonic Imaging 6, 81 (1984), has one view per subset); C is then computed from the largest column sum over
// the subsets, one volume for all, which bounds every step. Entries of A must not be negative.
//
// objective: 1/2 sum R (y - A x)^2. With one subset it never grows for a relaxation up to 1 (up to 2 without clamping).
// Residual and objective are those of the estimates before their update, and thus need no additional projection.
class Sirt {
 public:
  // Computes the weights: one application and one adjoint. Throws Failure{invalid} for invalid equations or parameters.
  Sirt(std::vector<Equations> equations, const SirtSpec& spec, const CancelToken& cancel = {});
  // Starts from 0, or from a copy of `x`.
  [[nodiscard]] SirtState start(const at::Tensor& x = {}) const;
  void run(SirtState& state, const IterationControl& loop) const;

 private:
  std::vector<Equations> equations_;
  SirtSpec spec_;
  std::vector<at::Tensor> rows_;  // R of each subset
  at::Tensor columns_;            // C times the relaxation
  double data_squares_ = 0;
};

}  // namespace tl::solve
