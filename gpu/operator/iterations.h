// Derivatives of a fixed number of iterations, with memory proportional to the square root of their number.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace tl {

// An iterative method as pure functions in differentiable operations (torch's and apply() of linear_operator.h).
// Inputs may be undefined tensors; states may not.
struct Iterations {
  using Tensors = std::vector<at::Tensor>;
  int64_t count = 0;
  std::function<Tensors(const Tensors& inputs)> begin;  // the state before the first iteration
  // The state after iteration n, counted from 0. Does not change its arguments.
  std::function<Tensors(const Tensors& state, const Tensors& inputs, int64_t n)> step;
};

// The first tensor of the state after all iterations; its derivative with respect to the inputs is exactly
// that of the executed iterations, up to rounding. Forward mode: tangents are propagated with the
// iterations, and nothing is stored. Reverse mode, if only single numbers require a gradient: the derivative
// along each of them is propagated with the iterations; the backward pass is one dot product. If arrays
// require gradients: every sqrt(count)-th state is kept, and in the backward pass the iterations are
// repeated between two of them and reversed one by one (A. Griewank, Optim. Methods Softw. 1, 35 (1992)):
// three times the iterations and their transposes once, with 2 sqrt(count) states in memory. Second
// derivatives: unavailable.
at::Tensor iterate(const Iterations& iterations, const Iterations::Tensors& inputs);

}  // namespace tl
