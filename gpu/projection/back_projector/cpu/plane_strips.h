// The transpose of the back-projection of one slice as a sum along rays: strips of 16 neighbouring detector columns go
// through the rows of voxels side by side, and every column is summed in registers.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

// Where the voxels (j, i) of a slice land in the line of one view: column = u / w, a number = [0] + [1] i + [2] j.
struct LineMap {
  double u[3], w[3];
};

// The rows and the columns of voxels of a slice [y, x], each as lines with zeros before and behind.
class PlaneSlice {
 public:
  PlaneSlice(const float* slice, int64_t ny, int64_t nx);

  enum Way { along_x, along_y };  // what the lines lie along
  struct Lines {
    const float* first;  // voxel 0 of line 0
    int64_t stride, count, length;
  };
  [[nodiscard]] Lines lines(Way way) const;

 private:
  int64_t ny_, nx_;
  at::Tensor along_x_, along_y_;  // [line, padded length]
};

inline constexpr int64_t strip_columns = 16;

// Sixteen cells between neighbouring columns and what they see of a slice. Voxels of a row are in the cell that they
// land in; a cell's border with the one before crosses row y at a point that is linear in y.
struct PlaneStrip {
  int64_t first;  // column before the first cell
  PlaneSlice::Way way;
  bool mirrored;       // cells are counted from the last one
  int64_t begin, end;  // rows
  // At row y: [0] + [1] y. Where the first cell begins and the last one ends, and the depth of voxel 0, which grows by
  // `deeper` per voxel.
  double start[2], stop[2], depth[2], deeper;
  // Where a cell begins after the first one, at the middle row and per row; columns per voxel times its depth.
  double middle;
  alignas(64) float begins[strip_columns], leans[strip_columns];
  double slope[strip_columns];
};

// Adds to `line`, which is zero and has strip_columns more numbers at both ends. False, and nothing is added, where
// voxels are too small for that: more than about two of a row land in one cell. Needs AVX-512.
bool sum_along_rays(const PlaneSlice& slice, const LineMap& map, int64_t cols, std::vector<PlaneStrip>& scratch,
                    double* line);

}  // namespace tl::ops
