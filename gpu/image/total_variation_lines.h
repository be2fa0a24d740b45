// One row of a total-variation step, in a variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/image/total_variation_math.h"

namespace tl::ops {

// What is known of the end of a row: whether the voxel after its last one may be read (its value does not matter).
enum class RowEnd { readable, closed };

// Dual vectors of one row: out <- the nearest vectors of length <= radius to from + step * differences, and, where
// `inertial` is given, inertial <- out + momentum (out - out before). The arrays of a component are the same or apart.
template <class T>
struct DualLine {
  DifferenceRow<T> x;
  RowEnd end;
  Triad<const T*> from;
  Triad<T*> out;
  Triad<T*> inertial;  // null: none
};
template <class T>
struct DualStep {
  AxisWeights<T> weights;
  T step, radius, momentum;
};

// Sums of squares over a row, in double and in an order that no variant changes.
struct RowChanges {
  double last = 0, before = 0;  // of now - last and of now - before
};

// dual: as above, for rows of nx voxels.
// primal: out <- max(from - step * transposed differences, low); out may be from. One number before row.px is read.
template <class T>
struct TvLines {
  void (*dual)(const DualLine<T>& line, int64_t nx, const DualStep<T>& step);
  void (*primal)(const TransposedRow<T>& row, const T* from, T* out, T step, T low);
  RowChanges (*changes)(const T* now, const T* last, const T* before, int64_t nx);
};
// Of the variant that best_cpu_variant() names: ask once per operation, not per row.
template <class T>
TvLines<T> tv_lines();

}  // namespace tl::ops
