// LinearOperator: a linear map with an exact transpose, and the autograd wrapper that makes every such map
// differentiable.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/cancel.h"

namespace tl {

// Tensors are contiguous, float32 (work) or float64 (verification), on one device. apply() and adjoint() are exact
// transposes of each other to rounding; they are thread-safe, deterministic for any number of threads, and throw
// Failure for shapes, types or devices they cannot serve.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::vector<int64_t> domain() const = 0;            // shape of x
  [[nodiscard]] virtual std::vector<int64_t> range() const = 0;             // shape of A x
  [[nodiscard]] virtual at::Tensor apply(const at::Tensor& x) const = 0;    // A x
  [[nodiscard]] virtual at::Tensor adjoint(const at::Tensor& y) const = 0;  // A* y

  // True if the operator linearizes a nonlinear function at one point; only its first derivative is then meaningful.
  [[nodiscard]] virtual bool is_local() const { return false; }

  // For operators that depend on view vectors [view, 12] (float64, CPU): the same operator with other vectors, and the
  // gradient of <y, A(vectors) x> with respect to them. Other operators return nullptr and an undefined tensor.
  [[nodiscard]] virtual std::shared_ptr<const LinearOperator> with_vectors(const at::Tensor& vectors) const;
  [[nodiscard]] virtual at::Tensor vectors_gradient(const at::Tensor& x, const at::Tensor& y) const;
};

using OperatorPtr = std::shared_ptr<const LinearOperator>;

// Differentiable A x and A* y. `vectors`, if defined, replaces the operator's own and receives a gradient.
at::Tensor apply(const OperatorPtr& op, const at::Tensor& x, const at::Tensor& vectors = {});
at::Tensor adjoint(const OperatorPtr& op, const at::Tensor& y, const at::Tensor& vectors = {});

}  // namespace tl
