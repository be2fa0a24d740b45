// The cells of a Fourier grid around a position, and the weights of the blob there: what slices, insertion and
// gradients go through.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "gpu/filtering/fourier_volume/blob.h"
#include "gpu/filtering/fourier_volume/planes.h"

namespace tl::ops {

// The half of a Hermitian grid [z, y, x] with x >= 0, in the order of the FFT: z and y may be negative.
struct HalfGrid {
  int64_t nz, ny, half_x;  // cells along z and y; numbers along x
  int64_t most_z, most_y, most_x;

  explicit HalfGrid(const FourierSizes& s)
      : nz(s.cells[0]),
        ny(s.cells[1]),
        half_x(s.half_x()),
        most_z(nz / 2 - 1),
        most_y(ny / 2 - 1),
        most_x(s.cells[2] / 2 - 1) {}
  // The number at x = 0 of a line.
  [[nodiscard]] int64_t line(int64_t z, int64_t y) const {
    return ((z < 0 ? z + nz : z) * ny + (y < 0 ? y + ny : y)) * half_x;
  }
};

inline constexpr int blob_cells = 4;  // within the blob along a line, at most

// The cells from `low` to `high` of a line around a position.
struct CellRange {
  int64_t low, high;
};
inline CellRange around(double position, int64_t least, int64_t most) {
  return {std::max(least, static_cast<int64_t>(std::ceil(position - blob_edge))),
          std::min(most, static_cast<int64_t>(std::floor(position + blob_edge)))};
}

// value + t (slope + t (square + t cube)) between two nodes.
struct BlobPiece {
  double t, value, slope, square, cube;

  BlobPiece(const BlobTable::Entry<double>* table, double squared_distance) {
    const double at = std::min(squared_distance * BlobTable::nodes, static_cast<double>(blob_last_entry));
    const auto i = static_cast<int32_t>(at);
    const BlobTable::Entry<double>&a = table[i], &b = table[i + 1];
    const double rise = b.value - a.value;
    t = at - static_cast<double>(i);
    value = a.value;
    slope = a.slope;
    square = 3 * rise - 2 * a.slope - b.slope;
    cube = a.slope + b.slope - 2 * rise;
  }
};
// The blob at a squared distance, and its derivative by that.
inline float blob_weight(const BlobTable::Entry<float>* table, float square) {
  const float at = std::min(square * static_cast<float>(BlobTable::nodes), static_cast<float>(blob_last_entry));
  const auto i = static_cast<int32_t>(at);
  return table[i].value + (at - static_cast<float>(i)) * table[i].slope;
}
inline double blob_weight(const BlobTable::Entry<double>* table, double square) {
  const BlobPiece p(table, square);
  return p.value + p.t * (p.slope + p.t * (p.square + p.t * p.cube));
}
inline double blob_slope(const BlobTable::Entry<double>* table, double square) {
  const BlobPiece p(table, square);
  return (p.slope + p.t * (2 * p.square + 3 * p.t * p.cube)) * BlobTable::nodes;
}

// Calls f(z, y, squared distance along z and y) for the lines of cells with z in `slab` that the blob reaches.
template <class F>
void each_line(const HalfGrid& g, Vec3 p, CellRange slab, const F& f) {
  const CellRange zs = around(p.z, std::max(-g.most_z, slab.low), std::min(g.most_z, slab.high));
  const CellRange ys = around(p.y, -g.most_y, g.most_y);
  for (int64_t z = zs.low; z <= zs.high; ++z) {
    const double dz = static_cast<double>(z) - p.z;
    for (int64_t y = ys.low; y <= ys.high; ++y) {
      const double dy = static_cast<double>(y) - p.y, square = dz * dz + dy * dy;
      if (square < blob_edge_square) f(z, y, square);
    }
  }
}

}  // namespace tl::ops
