// Differences and total-variation steps of one voxel, shared by the CPU's row loops and CUDA.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

struct VoxelShape {
  int64_t nz, ny, nx;
  [[nodiscard]] TL_HD int64_t count() const { return nz * ny * nx; }
  [[nodiscard]] TL_HD int64_t plane() const { return ny * nx; }
};

// Factors of the differences along z, y and x.
template <class T>
struct AxisWeights {
  T z, y, x;
};

template <class T>
struct AxisTriple {
  T z, y, x;
};

// One row of a volume with the next rows along y and z, or with itself if there is none, so that differences are 0.
template <class T>
struct DifferenceRow {
  const T *at, *next_y, *next_z;

  TL_HD DifferenceRow(const T* row, const T* after_y, const T* after_z) : at(row), next_y(after_y), next_z(after_z) {}
  TL_HD DifferenceRow(const T* x, const VoxelShape& s, int64_t row)
      : at(x + row * s.nx),
        next_y(row % s.ny + 1 < s.ny ? at + s.nx : at),
        next_z(row / s.ny + 1 < s.nz ? at + s.plane() : at) {}

  [[nodiscard]] TL_HD AxisTriple<T> differences(int64_t i, const AxisWeights<T>& w) const {
    return {(next_z[i] - at[i]) * w.z, (next_y[i] - at[i]) * w.y, (at[i + 1] - at[i]) * w.x};
  }
  // The last voxel of a row has no difference along x.
  [[nodiscard]] TL_HD AxisTriple<T> differences_at_row_end(int64_t i, const AxisWeights<T>& w) const {
    return {(next_z[i] - at[i]) * w.z, (next_y[i] - at[i]) * w.y, T(0)};
  }
};

// Transposed differences of one row: the component of the previous voxel minus that of this voxel, per direction. The
// component of the last voxel along a direction belongs to no difference and is ignored. If there is no previous row,
// its weight is 0.
template <class T>
struct TransposedRow {
  const T *pz, *py, *px, *previous_z, *previous_y;  // this row of each component, and the previous rows
  T here_z, before_z, here_y, before_y, x;
  int64_t nx;

  TL_HD TransposedRow(const T* p, const VoxelShape& s, int64_t row, const AxisWeights<T>& w)
      : pz(p + row * s.nx),
        py(pz + s.count()),
        px(py + s.count()),
        previous_z(row / s.ny > 0 ? pz - s.plane() : pz),
        previous_y(row % s.ny > 0 ? py - s.nx : py),
        here_z(row / s.ny + 1 < s.nz ? w.z : T(0)),
        before_z(row / s.ny > 0 ? w.z : T(0)),
        here_y(row % s.ny + 1 < s.ny ? w.y : T(0)),
        before_y(row % s.ny > 0 ? w.y : T(0)),
        x(w.x),
        nx(s.nx) {}
  // For rows in separate arrays: row_before_z and row_before_y are the previous rows of the components along z and y.
  // here and before: weights of the differences that begin and that end at this row, 0 if there are none.
  TL_HD TransposedRow(const AxisTriple<const T*>& row, const T* row_before_z, const T* row_before_y,
                      const AxisWeights<T>& here, const AxisWeights<T>& before, int64_t count)
      : pz(row.z),
        py(row.y),
        px(row.x),
        previous_z(row_before_z),
        previous_y(row_before_y),
        here_z(here.z),
        before_z(before.z),
        here_y(here.y),
        before_y(before.y),
        x(here.x),
        nx(count) {}

  [[nodiscard]] TL_HD T across(int64_t i) const {
    return before_z * previous_z[i] - here_z * pz[i] + before_y * previous_y[i] - here_y * py[i];
  }
  [[nodiscard]] TL_HD T first() const { return across(0) - x * px[0]; }
  [[nodiscard]] TL_HD T inner(int64_t i) const { return across(i) + x * (px[i - 1] - px[i]); }
  [[nodiscard]] TL_HD T last() const { return across(nx - 1) + x * px[nx - 2]; }
  [[nodiscard]] TL_HD T at(int64_t i) const {
    if (nx == 1) return across(0);
    return i == 0 ? first() : i + 1 < nx ? inner(i) : last();
  }
};

// Shortens a vector to at most this length.
template <class T>
TL_HD inline AxisTriple<T> clamp_length(const AxisTriple<T>& v, T radius) {
  const T size = std::sqrt(v.z * v.z + v.y * v.y + v.x * v.x);
  const T factor = radius / (size > radius ? size : radius);
  return {v.z * factor, v.y * factor, v.x * factor};
}

template <class T>
TL_HD inline T primal_step_value(T value, T step, T transposed, T low) {
  const T next = value - step * transposed;
  return next > low ? next : low;
}

// The functors below: one call per voxel.

template <class T>
TL_HD inline AxisTriple<T> difference_at(const T* x, const VoxelShape& s, const AxisWeights<T>& w, int64_t index) {
  const DifferenceRow<T> row(x, s, index / s.nx);
  const int64_t i = index % s.nx;
  return i + 1 < s.nx ? row.differences(i, w) : row.differences_at_row_end(i, w);
}

template <class T>
struct GradientVoxel {
  VoxelShape shape;
  AxisWeights<T> weights;
  const T* x;
  T* out;  // [3, z, y, x]

  TL_HD void operator()(int64_t index) const {
    const AxisTriple<T> g = difference_at(x, shape, weights, index);
    out[index] = g.z;
    out[index + shape.count()] = g.y;
    out[index + 2 * shape.count()] = g.x;
  }
};

template <class T>
struct GradientTransposedVoxel {
  VoxelShape shape;
  AxisWeights<T> weights;
  const T* p;  // [3, z, y, x]
  T* out;

  TL_HD void operator()(int64_t index) const {
    out[index] = TransposedRow<T>(p, shape, index / shape.nx, weights).at(index % shape.nx);
  }
};

// If r is p itself, momentum must be 0.
template <class T>
struct DualStepVoxel {
  VoxelShape shape;
  AxisWeights<T> weights;
  T *p, *r;
  const T* x;
  T step, radius, momentum;

  TL_HD void operator()(int64_t index) const {
    const int64_t n = shape.count(), z = index, y = index + n, u = index + 2 * n;
    const AxisTriple<T> g = difference_at(x, shape, weights, index);
    const AxisTriple<T> v = clamp_length<T>({r[z] + step * g.z, r[y] + step * g.y, r[u] + step * g.x}, radius);
    if (r != p) {
      r[z] = v.z + momentum * (v.z - p[z]);
      r[y] = v.y + momentum * (v.y - p[y]);
      r[u] = v.x + momentum * (v.x - p[u]);
    }
    p[z] = v.z;
    p[y] = v.y;
    p[u] = v.x;
  }
};

template <class T>
struct PrimalStepVoxel {
  VoxelShape shape;
  AxisWeights<T> weights;
  T* v;
  const T* p;
  T step, low;

  TL_HD void operator()(int64_t index) const {
    const T transposed = TransposedRow<T>(p, shape, index / shape.nx, weights).at(index % shape.nx);
    v[index] = primal_step_value(v[index], step, transposed, low);
  }
};

// Sum of the gradient's lengths over one row, one call per row.
template <class T>
struct VariationRow {
  VoxelShape shape;
  AxisWeights<T> weights;
  const T* x;
  double* sums;

  static TL_HD double length(const AxisTriple<T>& g) {
    return static_cast<double>(std::sqrt(g.z * g.z + g.y * g.y + g.x * g.x));
  }
  TL_HD void operator()(int64_t row) const {
    const DifferenceRow<T> line(x, shape, row);
    double sum = 0;
    for (int64_t i = 0; i + 1 < shape.nx; ++i) sum += length(line.differences(i, weights));
    sum += length(line.differences_at_row_end(shape.nx - 1, weights));
    sums[row] = sum;
  }
};

}  // namespace tl::ops
