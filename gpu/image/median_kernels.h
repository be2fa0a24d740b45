// Medians of many windows at a time, of integer keys ordered like the values.
#pragma once

#include <cstdint>

#include "gpu/device/cpu_variant.h"
#include "gpu/image/ordered_keys.h"

namespace tl::ops {

// out[x] = median of lines[0][x] ... lines[n - 1][x] for x in [0, count), n odd. Reads and writes up to 15 elements
// beyond count.
void median_of_lines(const int32_t* const* lines, int64_t n, int64_t count, int32_t* out, CpuVariant variant);
void median_of_lines(const int64_t* const* lines, int64_t n, int64_t count, int64_t* out, CpuVariant variant);

}  // namespace tl::ops
