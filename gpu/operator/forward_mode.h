// Forward-mode differentiation: the derivative of everything along one direction, computed beside the values.
#pragma once

#include <ATen/core/Tensor.h>

#include "gpu/operator/linear_operator.h"

namespace tl {

// One direction in the space of parameters. While it lives, tensors may carry a tangent: dual(value, tangent) gives a
// leaf one, torch's operations and every LinearOperator hand it on, tangent() reads it. One pass gives a value and its
// derivative to one scalar: for a few parameters this is cheaper than going forward and back. A second direction while
// one lives is an error of the caller. When it ends, tensors that outlive it lose their tangents.
//
// Tangents are themselves differentiable in reverse: with a tensor that requires a gradient in the same pass, the
// gradient of a tangent is a mixed second derivative.
class ForwardDirection {
 public:
  ForwardDirection();
  ~ForwardDirection();
  ForwardDirection(const ForwardDirection&) = delete;
  ForwardDirection& operator=(const ForwardDirection&) = delete;
};

// A tensor with a tangent of its shape and type.
at::Tensor dual(const at::Tensor& value, const at::Tensor& tangent);
// The parts of a tensor: itself without the tangent, and the tangent (undefined where there is none).
struct DualParts {
  at::Tensor value, tangent;
};
DualParts dual_parts(const at::Tensor& x);
at::Tensor tangent(const at::Tensor& x);
bool carries_tangent(const at::Tensor& x);
// Is x part of what is being differentiated, in either mode? Then it must not go through loops that forget it.
bool is_differentiated(const at::Tensor& x);

// An operator that depends on view vectors and can be differentiated along a change of them.
class DirectionalOperator {
 public:
  virtual ~DirectionalOperator() = default;
  // The linear operator d/ds A(vectors + s change) at s = 0, [view, 12] float64: linear in x like A itself. At a kink
  // of the interpolation it is the mean of the one-sided slopes.
  [[nodiscard]] virtual OperatorPtr along(const at::Tensor& change) const = 0;
  // A x and its derivative along the change in one pass.
  struct Both {
    at::Tensor value, slope;
  };
  [[nodiscard]] virtual Both apply_along(const at::Tensor& x, const at::Tensor& change) const = 0;
  // Its transpose: A* value + along(change)* slope in one pass, or undefined where an operator has no loop for both.
  [[nodiscard]] virtual at::Tensor adjoint_along(const Both& /*y*/, const at::Tensor& /*change*/) const { return {}; }
};

}  // namespace tl
