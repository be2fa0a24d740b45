// Where the samples of the views' transforms lie in the Fourier grid of a volume.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/base/grid.h"

namespace tl::ops {

// What slices, insertion and reconstruction are made for. Images and volume are padded with zeros; positions are
// relative to the centre of the grid.
struct FourierSampling {
  ScanGeometry geometry;  // parallel beams of any directions
  VolumeGrid grid;        // any orthogonal axes
  double padding = 2;     // of the images' and of the volume's edges, 1 to 4
  double cutoff = 1;      // fraction of the detector's Nyquist frequency, along rows and columns, in (0, 1]
  CancelToken cancel{};   // checked between blocks of the grid and of views
};

// The plane through the origin of the Fourier grid on which the transform of one view lies. Sample (b, a) of the view's
// transform, of b cycles per padded column and a per padded row, lies at a * per_col + b * per_row.
struct FourierPlane {
  Vec3 per_col, per_row;    // [cells along x, y, z of the grid]
  double col = 0, row = 0;  // pixel onto which the centre of the grid projects
  double area = 1;          // |d(column, row, path) / d(x, y, z)|: inverse area of a pixel across the beam [1/mm^2]
};

// Sizes of the padded arrays. The highest frequency of an even length has no counterpart of opposite sign: its cells
// and samples are left out.
struct FourierSizes {
  std::array<int64_t, 3> cells{};  // along z, y, x; even
  int64_t rows = 0, cols = 0;      // of the padded views; even
  int64_t most_b = 0, most_a = 0;  // highest frequency indices that are used
  [[nodiscard]] int64_t half_x() const { return cells[2] / 2 + 1; }
  [[nodiscard]] int64_t half_cols() const { return cols / 2 + 1; }
  // Of one complex float32 grid and its weights.
  [[nodiscard]] int64_t grid_numbers() const { return cells[0] * cells[1] * half_x(); }
};

// Errors: invalid (no parallel beam, grid, padding, cutoff, sizes beyond 2^31 cells).
Result<FourierSizes> fourier_sizes(const FourierSampling& sampling);
// Of all views.
std::vector<FourierPlane> fourier_planes(const FourierSampling& sampling, const FourierSizes& sizes);

// Derivatives of a plane's numbers with respect to the view's vectors: rows per_col, per_row (x, y, z each), col, row,
// area; columns the twelve vectors.
std::array<std::array<double, 12>, 9> plane_slopes(const FourierSampling& sampling, const FourierSizes& sizes,
                                                   int64_t view);

}  // namespace tl::ops
