// One row of a total-variation step, one variant per instruction set.
#pragma once

#include <cstdint>

#include "gpu/image/total_variation/total_variation_math.h"

namespace tl::ops {

// Whether the element after the last voxel of a row may be read (its value does not matter).
enum class RowEnd { readable, closed };

// Dual step of one row: out <- from + step * differences, each vector shortened to length <= radius; if `inertial` is
// given, inertial <- out + momentum (out - previous out). The arrays of a component are identical or disjoint.
template <class T>
struct DualLine {
  DifferenceRow<T> x;
  RowEnd end;
  AxisTriple<const T*> from;
  AxisTriple<T*> out;
  AxisTriple<T*> inertial;  // null: none
};
template <class T>
struct DualStep {
  AxisWeights<T> weights;
  T step, radius, momentum;
};

// Sums of squares over a row, in double, in the same order for all variants.
struct RowChanges {
  double last = 0, before = 0;  // squared changes: now - last, and now - before
};

// dual: the dual step for rows of nx voxels.
// primal: out <- max(from - step * transposed differences, low); out may be from. Reads one element before row.px.
template <class T>
struct TvLines {
  void (*dual)(const DualLine<T>& line, int64_t nx, const DualStep<T>& step);
  void (*primal)(const TransposedRow<T>& row, const T* from, T* out, T step, T low);
  RowChanges (*changes)(const T* now, const T* last, const T* before, int64_t nx);
};
// The functions for best_cpu_variant(): call once per operation, not per row.
template <class T>
TvLines<T> tv_lines();

}  // namespace tl::ops
