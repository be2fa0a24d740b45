// Numbers that no detector gives: found while the pixels are in the cache, and filled from what is around them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

// No count and no line integral lies beyond: detectors of 32 bits mark their dead pixels with 4294967294 and ...295.
inline constexpr double largest_value = 4e9;

struct UnusableValues {
  int64_t values = 0;                     // not finite, or beyond +-largest_value
  int64_t view = -1, row = -1, col = -1;  // the first of them
  int64_t dead_views = 0;                 // hold one and the same number throughout
  int64_t first_dead = -1;
  int64_t lines = 0;     // rows of a view without any usable value, those of dead views included
  int64_t unfilled = 0;  // of these: no view has the row, so that it became empty beam
  [[nodiscard]] bool any() const { return values + dead_views > 0; }
};

struct UsableViews {
  at::Tensor data;
  UnusableValues found;
};

// Views [view, row, col] (floating point, any device) without values that are not finite or beyond +-largest_value, and
// without dead views. A value becomes the linear interpolation between the nearest usable ones left and right in its
// row (the nearest alone at an edge); a row without any that between the nearest views which have it; without such a
// view it becomes `empty`, the value of the empty beam. A dead view holds one number throughout, differs from the empty
// beam by more than a twentieth, and stands among others that do not; views of less than eight pixels are never dead.
// The same tensor where nothing is wrong. Not differentiable.
UsableViews usable_views(const at::Tensor& data, double empty);
// Whether some view may be dead: a glance at the first pixels of each, where none is.
bool has_constant_view(const at::Tensor& data);

// Parts of the above, for operators whose pixels are in the cache. T is float, double, or (the first two) uint16.

template <class T>
bool all_usable(const T* values, int64_t count);

// One entry per view: 1 where it holds one number throughout, as a dead one does.
template <class T>
std::vector<uint8_t> constant_views(const T* data, int64_t views, int64_t stride, int64_t pixels);

// 1 where a value is unusable; empty where all are usable.
template <class T>
std::vector<uint8_t> unusable_flags(const T* values, int64_t count);

struct RowsFilled {
  int64_t values = 0;
  int64_t first = -1;  // index among the values of these rows
};
// Fills flagged values of some rows; dead_rows[row] becomes 1 where there is nothing to fill them from.
template <class T>
RowsFilled fill_rows(T* values, const std::vector<uint8_t>& flags, int64_t cols, uint8_t* dead_rows);

// Which rows [view * rows + row] have no value yet, and which views hold one number.
struct DeadLines {
  std::vector<uint8_t> rows;
  std::vector<uint8_t> constant_views;
};
// Judges constant views by what they became, fills all dead rows and counts them.
template <class T>
void fill_lines(T* data, int64_t rows, int64_t cols, DeadLines& dead, double empty, UnusableValues& found);

}  // namespace tl::ops
