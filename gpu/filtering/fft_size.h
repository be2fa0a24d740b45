// Transform lengths that FFT libraries handle fast: even numbers with no prime factor above seven.
#pragma once

#include <cstdint>

namespace tl::ops {

// Smallest even 2^a 3^b 5^c 7^d (a >= 1) that is at least n; 2 for n <= 2. Such numbers are only a few per cent apart,
// so the linear search is cheap.
constexpr int64_t fft_length(int64_t n) {
  for (int64_t length = n <= 2 ? 2 : n + n % 2;; length += 2) {
    int64_t rest = length;
    for (const int64_t prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return length;
  }
}

// Padding of n samples, placed in the middle of a line of at least 2 n samples whose ends repeat the edge samples.
struct CentredPadding {
  int64_t length, before, after;
};
constexpr CentredPadding centred_padding(int64_t n) {
  const int64_t length = fft_length(2 * n), before = (length - n) / 2;
  return {length, before, length - n - before};
}

}  // namespace tl::ops
