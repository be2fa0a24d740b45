// Linear combinations of tensors in one pass over memory.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::solve {

struct Term {
  const at::Tensor& values;
  double factor;
};

// out <- sum of the terms. All tensors are contiguous, of the same shape and type (float32 or float64), on one device;
// out may be the tensor of a term. Factors are rounded to that type.
void weighted_sum(at::Tensor& out, const Term& a, const Term& b);
void weighted_sum(at::Tensor& out, const Term& a, const Term& b, const Term& c);

}  // namespace tl::solve
