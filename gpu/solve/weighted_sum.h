// Sums of tensors with factors in one pass over memory.
#pragma once

#include <ATen/core/Tensor.h>

namespace tl::solve {

struct Term {
  const at::Tensor& values;
  double factor;
};

// out <- sum of the terms. All are contiguous, of one shape and type (float32 or float64) and on one device; out may be
// the tensor of a term. Factors are rounded to the type.
void weighted_sum(at::Tensor& out, const Term& a, const Term& b);
void weighted_sum(at::Tensor& out, const Term& a, const Term& b, const Term& c);

}  // namespace tl::solve
