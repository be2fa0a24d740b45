// Flat-field division and logarithm of a run of float pixels, in a variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/correction/minus_log.h"

namespace tl::ops {

// out = (counts - dark) / (before + share (after - before)); out may be counts.
struct FlatLine {
  const float *dark, *before, *after;
  float share;
};
void divide_line(const float* counts, const FlatLine& line, float* out, int64_t count);

// As absorb() in minus_log.h. The logarithm is within 1.01 units in the last place.
AbsorbedPart absorb_line(float* values, int64_t count, float floor, NanPolicy nans);

// Both in one pass; out may be counts.
AbsorbedPart divide_and_absorb_line(const float* counts, const FlatLine& line, float* out, int64_t count, float floor,
                                    NanPolicy nans);

// The same, to the last bit, from counts as they are stored, where these flats leave every transmission finite. `out`
// may lie around the counts as counts.h says.
void divide_line(const uint16_t* counts, const FlatLine& line, float* out, int64_t count);
AbsorbedPart divide_and_absorb_line(const uint16_t* counts, const FlatLine& line, float* out, int64_t count,
                                    float floor);

}  // namespace tl::ops
