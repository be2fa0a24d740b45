// One Poisson number from a counter-based random stream, shared by CPU and CUDA.
#pragma once

#include <cmath>

#include "core/base/random.h"

namespace tl::ops {

// log(k!) to 1e-9: Stirling's series from k = 10 on, explicit sum below.
TL_HD inline double log_factorial(double k) {
  if (k < 10) {
    double sum = 0;
    for (double i = 2; i <= k; ++i) sum += std::log(i);
    return sum;
  }
  const double n = k + 1, n2 = n * n;
  const double series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / n2) / n2) / n;
  return (n - 0.5) * std::log(n) - n + 0.918938533204672742 + series;
}

// Two uniform numbers in (0, 1) with 53 bits each, from one block.
struct UniformPair {
  double first, second;
};
TL_HD inline UniformPair uniform_pair(const Philox& random, uint64_t index) {
  const Philox::Block b = random(index);
  const uint64_t lo = (uint64_t{b.word[0]} << 32) | b.word[1], hi = (uint64_t{b.word[2]} << 32) | b.word[3];
  return {(static_cast<double>(lo >> 11) + 0.5) * 0x1.0p-53, (static_cast<double>(hi >> 11) + 0.5) * 0x1.0p-53};
}

// One trial of transformed rejection, algorithm PTRS of Hoermann 1993 with its constants. In most cases it is certainly
// accepted; otherwise it is rejected, or accepted with the required probability. For means from min_mean on.
struct PoissonTrial {
  static constexpr double min_mean = 10;

  TL_HD PoissonTrial(double mean_of_it, UniformPair pair) : mean(mean_of_it) {
    b = 0.931 + 2.53 * std::sqrt(mean);
    a = -0.059 + 0.02483 * b;
    const double u = pair.first - 0.5;
    v = pair.second;
    us = 0.5 - std::fabs(u);
    place = (2 * a / us + b) * u + mean + 0.43;
    number = std::floor(place);
  }
  [[nodiscard]] TL_HD bool sure() const { return us >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2); }
  // Certainly accepted, whatever the rounding. Branch-free, so that loops over it are vectorized.
  [[nodiscard]] TL_HD bool clearly_sure() const {
    const double margin = 1e-14 * (mean + 10), beyond = place - number;  // rounding is at most a tenth of this
    return (us >= 0.07) & (v <= 0.9277 - 1e-12 - 3.6224 / (b - 2)) & (beyond > margin) & (beyond < 1 - margin);
  }
  [[nodiscard]] TL_HD bool refused() const { return number < 0 || (us < 0.013 && v > us); }
  [[nodiscard]] TL_HD bool taken() const {
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    return std::log(v * inverse_alpha / (a / (us * us) + b)) <= number * std::log(mean) - mean - log_factorial(number);
  }

  double mean, a = 0, b = 0, us = 0, v = 0, place = 0, number = 0;
};

// A Poisson number of finite mean >= 0 from elements first, first + 1, ... of a stream.
TL_HD inline double poisson_number(double mean, const Philox& random, uint64_t first) {
  if (mean < PoissonTrial::min_mean) {
    // Inversion: sums the distribution until it exceeds one uniform number.
    const double u = uniform_pair(random, first).first;
    double p = std::exp(-mean), below = p, k = 0;
    while (u > below && k < 100) {
      k += 1;
      p *= mean / k;
      below += p;
    }
    return k;
  }
  for (uint64_t i = first;; ++i) {
    const PoissonTrial trial(mean, uniform_pair(random, i));
    if (trial.sure() || (!trial.refused() && trial.taken())) return trial.number;
  }
}

}  // namespace tl::ops
