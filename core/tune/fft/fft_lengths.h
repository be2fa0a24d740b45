// Lengths to which a line may be padded for a fast Fourier transform, and how many kernels cuFFT will launch for them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl::tune {

struct FftLength {
  int64_t length = 0;
  std::array<int, 4> powers{};  // of 2, 3, 5, 7
  int launches = 0;             // predicted for float
  // "2^5 3 7"
  [[nodiscard]] std::string factors() const;
};

inline constexpr int64_t longest_fft = int64_t{1} << 27;

// Kernels of one transform as cuFFT 12 splits it (Strelak, Filipovic 2018, with the radices of that version): one for a
// length up to 5103, beyond it one for each 2^11, 3^7, 5^4 and 7^3. A prediction: measure.
int predicted_launches(const std::array<int, 4>& powers);

// All even 2^a 3^b 5^c 7^d from n to n (1 + increase), by length; beyond that the next one, if there is none. Invalid:
// n below 2 or above longest_fft, an increase outside of 0 to 1.
Result<std::vector<FftLength>> fft_lengths(int64_t n, double increase);

}  // namespace tl::tune
