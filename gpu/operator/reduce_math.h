// Sum and extrema of one block of numbers, in the same order on every device.
#pragma once

#include <cstdint>

#include "core/base/macros.h"

namespace tl {

// Changing it changes the last bits of the results.
inline constexpr int64_t sum_block = 4096;

// Sum of term(i) over one block, in eight partial sums so that the compiler can vectorize.
template <class Term>
TL_HD inline double block_sum(int64_t block, int64_t count, const Term& term) {
  constexpr int lanes = 8;
  const int64_t begin = block * sum_block, end = count < begin + sum_block ? count : begin + sum_block;
  double lane[lanes] = {};
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes)
    for (int k = 0; k < lanes; ++k) lane[k] += term(i + k);
  for (int k = 0; i < end; ++i, ++k) lane[k] += term(i);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

template <class T>
struct OneValue {
  const T* x;
  TL_HD double operator()(int64_t i) const { return static_cast<double>(x[i]); }
};
template <class T>
struct ProductOfTwo {
  const T *x, *y;
  TL_HD double operator()(int64_t i) const { return static_cast<double>(x[i]) * static_cast<double>(y[i]); }
};
template <class T>
struct SquaredDeviation {
  const T* x;
  double mean;
  TL_HD double operator()(int64_t i) const {
    const double d = static_cast<double>(x[i]) - mean;
    return d * d;
  }
};

template <class Term>
struct SumBlock {
  Term term;
  int64_t count;
  double* sums;
  TL_HD void operator()(int64_t block) const { sums[block] = block_sum(block, count, term); }
};

// [block, 3]: smallest, largest, number of NaN.
template <class T>
struct ExtremaBlock {
  const T* x;
  int64_t count;
  double infinity;
  double* out;
  TL_HD void operator()(int64_t block) const {
    const int64_t begin = block * sum_block, end = count < begin + sum_block ? count : begin + sum_block;
    T low = static_cast<T>(infinity), high = -low;
    int64_t nans = 0;
    for (int64_t i = begin; i < end; ++i) {
      low = x[i] < low ? x[i] : low;
      high = x[i] > high ? x[i] : high;
      nans += x[i] != x[i] ? 1 : 0;
    }
    out[3 * block] = static_cast<double>(low);
    out[3 * block + 1] = static_cast<double>(high);
    out[3 * block + 2] = static_cast<double>(nans);
  }
};

}  // namespace tl
