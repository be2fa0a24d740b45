// Transposes arrays so that slices or rows become vector lanes, and back.
#pragma once

#include <cstdint>

namespace tl::ops {

// Lanes per 16 bytes: loops over a multiple of it have no remainder.
template <class T>
inline constexpr int64_t lane_unit = 16 / static_cast<int64_t>(sizeof(T));

// Between slices [lane][x], `plane` apart, and lines [x][lane], `lanes` apart, for `count` slices of `width` values.
template <class T>
void slices_to_lanes(const T* slices, int64_t plane, int64_t count, int64_t width, T* lines, int64_t lanes);
template <class T>
void lanes_to_slices(const T* lines, int64_t lanes, int64_t count, int64_t width, T* slices, int64_t plane);
template <class T>
void add_lanes_to_slices(const T* lines, int64_t lanes, int64_t count, int64_t width, T* slices, int64_t plane);

}  // namespace tl::ops
