// Total-variation reconstructions that can be differentiated with respect to data, start, geometry and smoothing.
#pragma once

#include <vector>

#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/fista_tv.h"

namespace tl::solve {

// What the reconstruction depends on; tensors may require a gradient or carry a tangent.
struct DifferentiableTv {
  OperatorPtr op;      // [z, y, x] -> [view, row, col], without a mask
  at::Tensor data;     // 0 where `present` is 0
  at::Tensor present;  // 1 where a pixel has a value; undefined where all have
  at::Tensor start;    // [z, y, x], or undefined: 0
  at::Tensor vectors;  // [view, 12] in place of the operator's own, or undefined
  at::Tensor lambda;   // 0-dim float64, in place of that of the specification
  double norm = 0, filtered_norm = 0;
  int64_t iterations = 1;
  CancelToken cancel{};
};

// The estimate after the iterations of ChambollePock, to rounding, differentiable as iterate() says. Norms, and thus
// lengths of steps, count as constants: with respect to the data and lambda the derivative is exact, with respect to
// the geometry it is that of iterations with fixed steps.
at::Tensor chambolle_pock(const DifferentiableTv& task, const TvSpec& spec);

// The same for FistaTv. It is run twice: first to find how many inner iterations each iteration makes and which steps
// are rejected, which counts as constant.
at::Tensor fista_tv(const DifferentiableTv& task, const FistaSpec& spec);

}  // namespace tl::solve
