// Steps of a periodic wavelet transform on a device, one call per value.
#pragma once

#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// One axis of [view, col]: values of a line are `stride` apart; a line of the longer side has n of them.
template <class T>
struct WaveletStep {
  const T* in;
  const T* filter;
  int64_t taps, n, stride;
  T* out;
};

template <class T>
struct WaveletSplit : WaveletStep<T> {
  TL_HD void operator()(int64_t index) const {
    const int64_t half = this->n / 2, k = index / this->stride % half;
    const T* line = this->in + index / (half * this->stride) * this->n * this->stride + index % this->stride;
    T sum = 0;
    for (int64_t i = 0; i < this->taps; ++i) sum += this->filter[i] * line[(2 * k + i) % this->n * this->stride];
    this->out[index] = sum;
  }
};

template <class T>
struct WaveletJoin : WaveletStep<T> {
  TL_HD void operator()(int64_t index) const {
    const int64_t half = this->n / 2, r = index / this->stride % this->n;
    const T* line = this->in + index / (this->n * this->stride) * half * this->stride + index % this->stride;
    T sum = 0;
    // Value r is read by the outputs k with 2k + i = r (mod n).
    for (int64_t i = r % 2; i < this->taps; i += 2)
      sum += this->filter[i] * line[((r - i) % this->n + this->n) % this->n / 2 * this->stride];
    this->out[index] = sum;
  }
};

}  // namespace tl::ops
