// Footprint: the receptive field of a network, which is the input pixels that an output pixel depends on, and which
// sizes a network takes.
#pragma once

#include "core/net/counts.h"
#include "core/net/network.h"

namespace tl::net {

// Along each axis. Shifting the input by `alignment` pixels shifts the output by as many; other shifts may not.
struct Footprint {
  bool same = true;  // the output has the size of the input; else it is smaller by before + after pixels
  int64_t alignment = 1;
  // same: the output at i depends on the input from i - before to i + after. else: output pixel 0 is at input pixel
  // `before` and depends on the input from 0 to before + after, at most.
  int64_t before = 0, after = 0;
  int64_t min_output = 1;  // smallest output size; larger ones differ from it by multiples of the alignment
  [[nodiscard]] int64_t reach() const { return before > after ? before : after; }
};

// Errors: invalid, if the output is not a map of the input's pixels (a classifier of whole images, a coarser map), or
// depends on the size of the input in another manner.
Result<Footprint> footprint_of(const Network& network);

// The input size that gives an output of so many pixels along each axis, or the next larger possible one.
Size input_for(const Network& network, const Footprint& footprint, int64_t output);

// Operations for each pixel of a large output (512 pixels along each of two axes, 64 along three). Errors as
// footprint_of().
Result<double> operations_per_pixel(const Network& network);

}  // namespace tl::net
