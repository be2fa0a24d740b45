// Transposed back-projection of one slice as sums along rays: for strips of 16 neighbouring detector columns, rows of
// voxels are summed for all columns in registers.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

// Maps voxels (j, i) of a slice to the line of one view: column = u / w, with u and w of the form [0] + [1] i + [2] j.
struct LineMap {
  double u[3], w[3];
};

// The rows and the columns of voxels of a slice [y, x], each stored as lines with zeros before and after.
class PlaneSlice {
 public:
  PlaneSlice(const float* slice, int64_t ny, int64_t nx);

  enum LineDirection { along_x, along_y };  // of the lines
  struct Lines {
    const float* first;  // voxel 0 of line 0
    int64_t stride, count, length;
  };
  [[nodiscard]] Lines lines(LineDirection direction) const;

 private:
  int64_t ny_, nx_;
  at::Tensor along_x_, along_y_;  // [line, padded length]
};

inline constexpr int64_t strip_columns = 16;

// The sixteen cells between neighbouring columns, and the geometry of their rays through a slice. A voxel belongs to
// the cell into which it projects; the border between two cells crosses row y at a point linear in y.
struct PlaneStrip {
  int64_t first;  // column before the first cell
  PlaneSlice::LineDirection direction;
  bool mirrored;       // cells are counted from the last
  int64_t begin, end;  // range of voxel rows
  // As functions of row y, [0] + [1] y: begin of the first cell, end of the last cell, and the depth of voxel 0. The
  // depth grows by `deeper` per voxel.
  double start[2], stop[2], depth[2], deeper;
  // Begins of the cells relative to the first one, at row `middle` and per row; slope: columns per voxel times the
  // depth.
  double middle;
  alignas(64) float begins[strip_columns], leans[strip_columns];
  double slope[strip_columns];
};

// Adds the slice's transposed back-projection to `line`, which is zero and has strip_columns additional elements at
// both ends. Returns false and adds nothing if voxels are too small: more than about two voxels of a row project into
// one cell. Needs AVX-512.
bool sum_along_rays(const PlaneSlice& slice, const LineMap& map, int64_t cols, std::vector<PlaneStrip>& scratch,
                    double* line);

}  // namespace tl::ops
