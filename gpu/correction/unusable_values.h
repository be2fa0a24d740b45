// Values that no detector produces (NaN, infinite, too large) and dead views: detection, and filling from neighbours.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/geometry.h"

namespace tl::ops {

// Largest valid magnitude of counts and line integrals. 32-bit detectors mark dead pixels with 4294967294 and ...295.
inline constexpr double largest_value = 4e9;

struct UnusableValues {
  int64_t values = 0;                     // not finite, or beyond +-largest_value
  int64_t view = -1, row = -1, col = -1;  // the first of them
  int64_t dead_views = 0;                 // views with the same value in all pixels
  int64_t first_dead = -1;
  int64_t lines = 0;     // rows of a view without any usable value, including those of dead views
  int64_t unfilled = 0;  // of these, rows that are missing in all views and were set to empty beam
  [[nodiscard]] bool any() const { return values + dead_views > 0; }
};

struct UsableViews {
  at::Tensor data;
  UnusableValues found;
};

// Replaces values that are not finite or beyond +-largest_value, and dead views, in views [view, row, col] (floating
// point, any device). A value becomes the linear interpolation between the nearest usable ones left and right in its
// row (at an edge, the nearest value). A row without any usable value is replaced by that of another view at the same
// angle, or interpolated between the nearest angles whose views have the row; if there are none, it becomes `empty`,
// the value of the empty beam. A dead view has the same value in all pixels, which differs from the empty beam by more
// than a twentieth; if all views are constant, none is dead, nor are views of less than eight pixels. Returns the same
// tensor if nothing is wrong. Not differentiable. geometry: of these views; without it they are assumed to be one sweep
// in equal steps.
UsableViews fill_unusable_values(const at::Tensor& data, double empty, const ScanGeometry* geometry = nullptr);
// Whether a view is constant and thus may be dead. Cheap on the CPU: stops at the first difference in each view.
bool has_constant_view(const at::Tensor& data);

// Parts of fill_unusable_values(), for operators whose pixels are in cache. T is float, double or, for the first three,
// uint16.

template <class T>
bool all_usable(const T* values, int64_t count);

// One entry per view: 1 if all its pixels have the same value, as in a dead view.
template <class T>
std::vector<uint8_t> constant_views(const T* data, int64_t views, int64_t stride, int64_t pixels);

// 1 for an unusable value; empty if all are usable.
template <class T>
std::vector<uint8_t> unusable_flags(const T* values, int64_t count);

struct FillRowsResult {
  int64_t values = 0;
  int64_t first = -1;  // index of the first unusable value in these rows
};
// Fills the flagged values of some rows; sets dead_rows[row] to 1 for rows without any usable value.
template <class T>
FillRowsResult fill_rows(T* values, const std::vector<uint8_t>& flags, int64_t cols, uint8_t* dead_rows);

// Rows [view * rows + row] without a usable value, and constant views.
struct DeadLines {
  std::vector<uint8_t> rows;
  std::vector<uint8_t> constant_views;
};
// Finds dead views among constant ones by their corrected values, then fills and counts all dead rows.
template <class T>
void fill_lines(T* data, int64_t rows, int64_t cols, DeadLines& dead, double empty, const ScanGeometry* geometry,
                UnusableValues& found);

}  // namespace tl::ops
