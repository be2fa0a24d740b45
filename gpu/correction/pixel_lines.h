// Flat-field division and logarithm for a line of float pixels, one variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/correction/minus_log.h"

namespace tl::ops {

// Dark and flats at the pixels of a line: the flat of a view is interpolated between one before it and one after it.
struct LineReferences {
  const float *dark, *before, *after;
  float share;  // of the flat after
};
// out = (counts - dark) / (before + share (after - before)); out may alias counts.
void divide_line(const float* counts, const LineReferences& line, float* out, int64_t count);

// Like minus_log_in_place() in minus_log.h; the logarithm is accurate to 1.01 units in the last place.
MinusLogCounts absorb_line(float* values, int64_t count, float floor, NanPolicy nans);

// Divides and takes the logarithm in one pass; out may alias counts.
MinusLogCounts divide_and_absorb_line(const float* counts, const LineReferences& line, float* out, int64_t count,
                                      float floor, NanPolicy nans);

// Versions for uint16 counts, bit-identical, for flats that give finite transmissions only. `counts` may be stored
// within `out` as described in counts.h.
void divide_line(const uint16_t* counts, const LineReferences& line, float* out, int64_t count);
MinusLogCounts divide_and_absorb_line(const uint16_t* counts, const LineReferences& line, float* out, int64_t count,
                                      float floor);

}  // namespace tl::ops
