// Shifts between the frames of a burst: every frame against every other, by correlation in Fourier space.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

struct FramePairsSpec {
  at::Tensor frames;  // [frame, row, col], float32 or float64, on the CPU, finite; at least 2 frames of 4 x 4 pixels
  double resolution = 8;  // [px] period at which the low-pass filter halves the amplitude; at least 2
  double reach = 32;      // [px] largest shift that is looked for, along rows and along columns
  CancelToken cancel;
};

// Which Fourier coefficients are used. Noise of the two halves is independent: their difference gives sigma.
enum class Coefficients { all, even, odd };

// Where `second` lies relative to `first`: its content is shifted by x columns and y rows (downwards) [px].
struct FramePair {
  int64_t first = 0, second = 0;
  std::array<double, 3> x{}, y{};  // by Coefficients
  // The largest correlation over the standard deviation of that of unrelated frames: 5 and more do not happen by
  // chance; that of smooth images stays below 5, whatever they show. 0: a frame shows nothing, and x and y are 0.
  double significance = 0;
  bool at_reach = false;  // the correlation is largest at the end of the search range
};

// All pairs, (0, 1), (0, 2) ... (n - 2, n - 1). Frames lose their median and fade at their edges, which stay where they
// are; the correlation is filtered by exp(-f^2 / (2 s^2)) with s = 0.849322 / resolution cycles/px and computed up to 4
// s; its maximum is refined by Newton steps on the Fourier series itself (D. Strelak et al., Electronics 9, 1040, 2020,
// section 2). The same bits for any number of threads. Memory: 16 bytes per coefficient kept of each frame. Errors:
// invalid for shapes and values out of range; throws Failure{cancelled}.
Result<std::vector<FramePair>> pair_shifts(const FramePairsSpec& spec);

}  // namespace tl::ops
