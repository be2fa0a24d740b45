// Forward-mode differentiation: derivatives along one direction in parameter space, computed together with the values.
#pragma once

#include <ATen/core/Tensor.h>

#include "gpu/operator/linear_operator.h"

namespace tl {

// One direction in the space of parameters. While the object exists, tensors may carry a tangent: dual(value, tangent)
// makes a leaf with one, torch's operations and every LinearOperator propagate it, tangent() reads it. One pass gives a
// value and its derivative with respect to one scalar, which for a few parameters is cheaper than a forward and a
// backward pass. Only one ForwardDirection may exist at a time. Tensors that outlive it lose their tangents.
//
// Tangents are themselves differentiable in reverse: if a tensor of the same pass requires a gradient, the gradient of
// a tangent is a mixed second derivative.
class ForwardDirection {
 public:
  ForwardDirection();
  ~ForwardDirection();
  ForwardDirection(const ForwardDirection&) = delete;
  ForwardDirection& operator=(const ForwardDirection&) = delete;
};

// A tensor with a tangent of the same shape and type.
at::Tensor dual(const at::Tensor& value, const at::Tensor& tangent);
// A tensor's value without its tangent, and its tangent (undefined if it carries none).
struct DualParts {
  at::Tensor value, tangent;
};
DualParts dual_parts(const at::Tensor& x);
at::Tensor tangent(const at::Tensor& x);
bool carries_tangent(const at::Tensor& x);
// True if x is being differentiated, in reverse or forward mode; it must then not pass through code without
// derivatives.
bool is_differentiated(const at::Tensor& x);

// An operator that depends on view vectors and can be differentiated along a change of these vectors.
class DirectionalOperator {
 public:
  virtual ~DirectionalOperator() = default;
  // The linear operator d/ds A(vectors + s change) at s = 0; `change` is [view, 12] float64. Linear in x like A itself.
  // At a kink of the interpolation it is the mean of the one-sided slopes.
  [[nodiscard]] virtual OperatorPtr along(const at::Tensor& change) const = 0;
  // A x and its derivative along `change`, in one pass.
  struct ValueAndSlope {
    at::Tensor value, slope;
  };
  [[nodiscard]] virtual ValueAndSlope apply_along(const at::Tensor& x, const at::Tensor& change) const = 0;
  // The transpose of apply_along(): A* value + along(change)* slope in one pass. Undefined if the operator has no
  // combined loop.
  [[nodiscard]] virtual at::Tensor adjoint_along(const ValueAndSlope& /*y*/, const at::Tensor& /*change*/) const {
    return {};
  }
};

}  // namespace tl
