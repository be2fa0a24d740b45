// Iterative refinement of a direct reconstruction: iterative FDK and iterative FBP.
#pragma once

#include <functional>
#include <optional>

#include "gpu/solve/solve.h"

namespace tl::solve {

// B: projections -> volume, an approximate inverse of the projector (weights, ramp filter, back-projection).
using DirectReconstruction = std::function<at::Tensor(const at::Tensor&)>;

struct RefineSpec {
  double relaxation = 1;  // in (0, 2)
  std::optional<double> low;
};

struct RefineState {
  at::Tensor x;
  int64_t iteration = 0;
};

// x <- x + relaxation B (y - A x), optionally clamped from below: each iteration reconstructs the remaining residual.
// From 0, the first iteration is B y. Converges quickly if B is close to an inverse of A. It need not be monotone,
// since B is not the transpose of A.
//
// objective: 1/2 |y - A x|^2. Residual and objective are those of the estimate before its update.
class Refine {
 public:
  Refine(Equations equations, DirectReconstruction direct, const RefineSpec& spec);
  [[nodiscard]] RefineState start(const at::Tensor& x = {}) const;
  void run(RefineState& state, const IterationControl& loop) const;

 private:
  Equations equations_;
  DirectReconstruction direct_;
  RefineSpec spec_;
  double data_squares_ = 0;
};

}  // namespace tl::solve
