// What all iterative solvers share: the system of equations, how a run is steered and watched, and ordered subsets.
//
// A solver is a value with its parameters and weights. start() makes a state, run() advances it by some iterations in
// place. The state is everything that a method remembers: its tensors copied (clone) and put back continue the run with
// the same bits, whether n iterations are done at once or in pieces. A run that was cancelled or failed may leave the
// state between two iterations.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/operator/linear_operator.h"

namespace tl::solve {

// One iteration is done. residual: |y - A x| / |y| (|y - A x| where y is 0). objective: what the method decreases,
// given with each solver. Sums in double, the same for any number of threads.
struct Step {
  int64_t iteration = 0;  // counted from 1 since start()
  double residual = 0, objective = 0;
};

struct Loop {
  int64_t iterations = 1;
  CancelToken cancel{};                       // looked at between applications of the operator
  std::function<void(const Step&)> report{};  // after every iteration; without one no metric is computed
};

// A x = y, or one ordered subset of it. The data has the operator's range, float32 or float64.
struct Equations {
  OperatorPtr op;
  at::Tensor data;
};

// 1 / x, and 0 where x is not above a millionth of the largest x: such a row or column is rounding of the weights.
at::Tensor positive_inverse(const at::Tensor& x);

// Largest singular value of an operator from below, by power iterations on A* A from a fixed positive random start
// (12 iterations; for the projector within 1 % of it).
double operator_norm(const LinearOperator& op, const at::TensorOptions& options, const CancelToken& cancel,
                     int64_t iterations = 12);

// operator_norm() and a margin: the iterations find the norm from below, and steps must not be too long.
double norm_bound(const LinearOperator& op, const at::TensorOptions& options, const CancelToken& cancel);

// Every `count`-th view makes a subset; subsets that follow each other lie far apart (golden ratio). Each view is in
// one. count is limited to the number of views.
std::vector<std::vector<int64_t>> ordered_subsets(int64_t views, int64_t count);

// Throws Failure{invalid} unless there are equations and all of them fit one domain.
void require_equations(const std::vector<Equations>& equations, const char* where);

// Sum of squares of all data, and the residual that a Step reports from a sum of squares of y - A x.
double sum_of_squares(const std::vector<Equations>& equations);
double relative_residual(double residual_squares, double data_squares);

}  // namespace tl::solve
