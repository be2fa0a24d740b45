// PairOperator: a linear operator that serves two inputs in less than twice the time of one.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl {

// Optional interface of a LinearOperator for inputs in pairs: a value and its tangent.
class PairOperator {
 public:
  struct Pair {
    at::Tensor first, second;
  };
  virtual ~PairOperator() = default;
  // Whether a pair of inputs like this one is faster than two separate calls of apply().
  [[nodiscard]] virtual bool takes_pairs(const at::Tensor& like) const = 0;
  // apply() and adjoint() of both, up to rounding; both of one type, in CPU memory.
  [[nodiscard]] virtual Pair apply_pair(const Pair& x) const = 0;
  [[nodiscard]] virtual Pair adjoint_pair(const Pair& y) const = 0;
};

}  // namespace tl
