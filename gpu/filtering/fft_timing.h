// fft_seconds: measured times of Fourier transforms of real lines, by length.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

struct FftTimings {
  int64_t lines = 1;   // transformed at once
  std::string device;  // an id of devices(): "cpu", "cuda:0"
  double seconds = 1;  // to spend on all lengths together, about
  CancelToken cancel;
};

// By length the median time [s] of a forward and a backward transform of `lines` float lines, with plans that exist
// already, as the ramp filter does them. The lengths take turns, so that what else the machine does meets all of them.
// Invalid: fewer than one line, or more than 2^28 samples at a time; cancelled.
Result<std::vector<double>> fft_seconds(const std::vector<int64_t>& lengths, const FftTimings& settings);

}  // namespace tl::ops
