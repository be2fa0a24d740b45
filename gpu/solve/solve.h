// Common to all iterative solvers: the system of equations, control and monitoring of a run, and ordered subsets.
//
// A solver is a value with its parameters and weights. start() makes a state, run() advances it in place by some
// iterations. The state is complete: if its tensors are copied (clone) and restored, the run continues bit-identically,
// whether n iterations are done at once or in pieces. After a cancelled or failed run the state may be between two
// iterations.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/geometry.h"
#include "gpu/operator/linear_operator.h"

namespace tl::solve {

// Report of one iteration. residual: |y - A x| / |y| (|y - A x| if y is 0). objective: the quantity that the method
// decreases, defined by each solver. Sums in double, independent of the number of threads.
struct IterationReport {
  int64_t iteration = 0;  // counted from 1 since start()
  double residual = 0, objective = 0;
};

struct IterationControl {
  int64_t iterations = 1;
  CancelToken cancel{};  // checked between applications of the operator
  std::function<void(const IterationReport&)>
      report{};  // called after every iteration; if empty, no metrics are computed
};

// A x = y, or one ordered subset of it. The data has the shape of the operator's range, float32 or float64.
struct Equations {
  OperatorPtr op;
  at::Tensor data;
};

// 1 / x, or 0 where x is at most a millionth of the largest x: such a row or column sum is rounding error.
at::Tensor positive_inverse(const at::Tensor& x);

// Lower estimate of an operator's largest singular value, by power iterations on A* A from a fixed positive random
// start (after 12 iterations within 1 % for the projector).
double operator_norm(const LinearOperator& op, const at::TensorOptions& options, const CancelToken& cancel,
                     int64_t iterations = 12);

// operator_norm() plus a margin: the norm is underestimated, and step lengths must not be too long.
double norm_bound(const LinearOperator& op, const at::TensorOptions& options, const CancelToken& cancel);

// Every `count`-th view by angle forms a subset; consecutive subsets are far apart (golden ratio). Each view is in
// exactly one. count is limited to the number of views. Views of a subset are in the order of the scan.
std::vector<std::vector<int64_t>> ordered_subsets(const ScanGeometry& geometry, int64_t count);

// Throws Failure{invalid} unless there are equations and all of them have the same domain.
void require_equations(const std::vector<Equations>& equations, const char* where);

// Sum of squares of all data, and the residual of a Step for a given sum of squares of y - A x.
double sum_of_squares(const std::vector<Equations>& equations);
double relative_residual(double residual_squares, double data_squares);

}  // namespace tl::solve
