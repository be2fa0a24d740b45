// Sums that reach a loss, a verdict or a file: fixed blocks in double, the same bits for any number of threads.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tl {

// All functions take float32 or float64 tensors of any shape on any device that can run functors and throw Failure for
// others; the bits are the same everywhere. The tensor is cut into blocks of a fixed length; each is summed in double
// in a fixed order, then the blocks are joined in their order. NaN and infinities propagate as in any sum.

double total(const at::Tensor& x);
double total_of_squares(const at::Tensor& x);
double inner_product(const at::Tensor& x, const at::Tensor& y);  // same shape and type

// Two passes, so a large mean costs no digits. variance is the population's (divided by count); an empty tensor has
// count 0 and NaN for both.
struct Moments {
  int64_t count = 0;
  double mean = 0, variance = 0;
};
Moments moments(const at::Tensor& x);

// Smallest and largest value, NaN left out and counted; infinities take part. Both are NaN when nothing is left.
struct Extrema {
  double min = 0, max = 0;
  int64_t nans = 0;
};
Extrema extrema(const at::Tensor& x);

// The same sums as 0-dim float64 tensors that autograd can differentiate, also twice; of squares of many values once,
// see slab_sum.h.
at::Tensor differentiable_sum(const at::Tensor& x);
at::Tensor differentiable_sum_of_squares(const at::Tensor& x);  // squares are taken in the type of x
at::Tensor differentiable_mean(const at::Tensor& x);
at::Tensor differentiable_variance(const at::Tensor& x);  // population variance of deviations taken in the type of x

}  // namespace tl
