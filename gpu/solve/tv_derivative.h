// Total-variation reconstructions that can be differentiated with respect to data, start, geometry and smoothing.
#pragma once

#include <vector>

#include "gpu/solve/chambolle_pock.h"
#include "gpu/solve/fista_tv.h"

namespace tl::solve {

// Inputs of the reconstruction; tensors may require a gradient or carry a tangent.
struct DifferentiableTv {
  OperatorPtr op;      // [z, y, x] -> [view, row, col], without a mask
  at::Tensor data;     // 0 where `present` is 0
  at::Tensor present;  // 1 for a pixel with a value; undefined if all pixels have values
  at::Tensor start;    // [z, y, x], or undefined: 0
  at::Tensor vectors;  // [view, 12] to replace the operator's own, or undefined
  at::Tensor lambda;   // 0-dim float64, replaces the value in the specification
  double norm = 0, filtered_norm = 0;
  int64_t iterations = 1;
  CancelToken cancel{};
};

// The estimate after the iterations of ChambollePock, up to rounding, differentiable as described at iterate(). Norms,
// and thus lengths of steps, are treated as constants: with respect to the data and lambda the derivative is exact,
// with respect to the geometry it is that of iterations with fixed steps.
at::Tensor chambolle_pock(const DifferentiableTv& task, const TvSpec& spec);

// The estimate of FistaTv. It is run twice: first to find the number of inner iterations of each iteration and which
// steps are rejected, which are treated as constants.
at::Tensor fista_tv(const DifferentiableTv& task, const FistaSpec& spec);

}  // namespace tl::solve
