// Deterministic sums for losses, verdicts and files: fixed blocks in double, bit-identical for any number of threads.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tl {

// All functions accept float32 or float64 tensors of any shape, on any device that can run functors, and throw Failure
// for others; the results are bit-identical on all of them. The tensor is divided into blocks of a fixed length; each
// block is summed in double in a fixed order, then the block sums are added in order. NaN and infinities propagate as
// in any sum.

double total(const at::Tensor& x);
double total_of_squares(const at::Tensor& x);
double inner_product(const at::Tensor& x, const at::Tensor& y);  // same shape and type

// Computed in two passes, so that a large mean costs no digits. `variance` is the population variance (divided by
// count). An empty tensor has count 0, and NaN for mean and variance.
struct Moments {
  int64_t count = 0;
  double mean = 0, variance = 0;
};
Moments moments(const at::Tensor& x);

// Smallest and largest value. NaN are skipped and counted, infinities are not skipped. Both are NaN if no value is
// left.
struct Extrema {
  double min = 0, max = 0;
  int64_t nans = 0;
};
Extrema extrema(const at::Tensor& x);

int64_t count_of_nans(const at::Tensor& x);

// Sums as 0-dim float64 tensors that autograd can differentiate twice. Exception: sums of squares of large tensors can
// be differentiated only once in reverse mode, see slab_sum.h.
at::Tensor differentiable_sum(const at::Tensor& x);
at::Tensor differentiable_sum_of_squares(const at::Tensor& x);  // squares are computed in the type of x
at::Tensor differentiable_mean(const at::Tensor& x);
at::Tensor differentiable_variance(const at::Tensor& x);  // population variance; deviations in the type of x

}  // namespace tl
